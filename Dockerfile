# What run.sh does, in Debian 12:
#   docker build -t fredsim .
#   docker run --rm -v "$PWD/out:/fredsim/out" fredsim run tb/configs/single_switch.yaml \
#       --trace traces/samples/all_reduce_8npus_64MiB.jsonl --json out/result.json --vcd out/wave.vcd
FROM debian:12
WORKDIR /fredsim
# The packages in a layer of their own, so that a change of the sources does not install them again.
COPY scripts/install-packages scripts/packages.txt scripts/
RUN scripts/install-packages build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN ./run.sh
ENTRYPOINT ["/fredsim/build/release/fredsim"]
CMD ["--help"]

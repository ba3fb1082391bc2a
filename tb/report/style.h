#pragma once

namespace fredsim::tb::report {

/// Colours for bright and dark screens, and for paper, which is always bright. Pictures take theirs from the
/// same variables: u0 to u5 are six steps of use, k-... kinds of activity, s0 to s7 series.
inline constexpr const char* style_sheet = R"css(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --soft: #5d6670; --line: #cfd5db; --panel: #f3f5f7;
  --u0: #c9d1d9; --u1: #8fc1e3; --u2: #4f9fd0; --u3: #e8b84a; --u4: #e07b33; --u5: #c8322f;
  --k-compute: #9aa4ae; --k-mp: #c8322f; --k-pp: #e08a2b; --k-dp: #2f7cc0; --k-stream: #7b53a6; --k-load: #3f9a5f;
  --s0: #2f7cc0; --s1: #e08a2b; --s2: #3f9a5f; --s3: #c8322f; --s4: #7b53a6; --s5: #8c6b4f; --s6: #c95fa0; --s7: #6b7580; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #15181c; --ink: #e6e9ec; --soft: #9aa4ae; --line: #3a424b; --panel: #1f242a;
  --u0: #4a535d; --u1: #3c6f92; --u2: #58a6d8; --u3: #d9a93a; --u4: #e5853d; --u5: #f0524d;
  --k-compute: #77818c; --k-mp: #f0524d; --k-pp: #eb9a3f; --k-dp: #58a6d8; --k-stream: #a57fd1; --k-load: #5cba7d;
  --s0: #58a6d8; --s1: #eb9a3f; --s2: #5cba7d; --s3: #f0524d; --s4: #a57fd1; --s5: #b8926f; --s6: #e07fbb; --s7: #9aa4ae; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.2rem; border-top: 2px solid var(--line); padding-top: 1rem; } h3 { margin-top: 1.6rem; }
code, pre { font: 13px ui-monospace, monospace; background: var(--panel); border-radius: 3px; padding: 0 .2em; overflow-wrap: anywhere; }
pre { padding: .6em; white-space: pre-wrap; }
.wide { overflow-x: auto; } figure { margin: 1rem 0; } figcaption, .note { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; font-size: 13px; } th, td { border-bottom: 1px solid var(--line); padding: .15rem .6rem; text-align: left; white-space: nowrap; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
th button { all: unset; cursor: pointer; font-weight: 600; } th button:focus-visible { outline: 2px solid var(--s0); }
th button::after { content: " \2195"; color: var(--soft); } th[aria-sort=ascending] button::after { content: " \2191"; } th[aria-sort=descending] button::after { content: " \2193"; }
summary { cursor: pointer; font-weight: 600; margin: .4rem 0; } nav a { margin-right: 1rem; } a { color: var(--s0); }
svg { max-width: none; font: 12px system-ui, sans-serif; } svg text { fill: var(--ink); } svg .soft { fill: var(--soft); }
svg .grid { stroke: var(--line); stroke-width: 1; fill: none; } svg .box { fill: var(--panel); stroke: var(--soft); }
svg .u0 { stroke: var(--u0); } svg .u1 { stroke: var(--u1); } svg .u2 { stroke: var(--u2); } svg .u3 { stroke: var(--u3); } svg .u4 { stroke: var(--u4); } svg .u5 { stroke: var(--u5); }
svg .link { stroke-width: 2.5; fill: none; } svg .link.u4, svg .link.u5 { stroke-width: 4; }
svg .k-compute { fill: var(--k-compute); } svg .k-mp { fill: var(--k-mp); } svg .k-pp { fill: var(--k-pp); } svg .k-dp { fill: var(--k-dp); } svg .k-stream { fill: var(--k-stream); } svg .k-load { fill: var(--k-load); }
svg .bar { fill: var(--s0); } svg .curve { fill: none; stroke-width: 2; }
svg .s0 { stroke: var(--s0); } svg .s1 { stroke: var(--s1); } svg .s2 { stroke: var(--s2); } svg .s3 { stroke: var(--s3); } svg .s4 { stroke: var(--s4); } svg .s5 { stroke: var(--s5); } svg .s6 { stroke: var(--s6); } svg .s7 { stroke: var(--s7); }
svg .mark { fill: var(--paper); stroke-width: 2; } svg .knee { fill: none; stroke: var(--ink); stroke-width: 2; }
@media print { body { max-width: none; font-size: 11px; } .wide { overflow: visible; } svg { max-width: 100%; height: auto; } th button::after { content: "" !important; }
  figure, tr { break-inside: avoid; } nav { display: none; } table { font-size: 9px; } th, td { white-space: normal; overflow-wrap: anywhere; padding: .1rem .3rem; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
)css";

/// A click on a heading sorts by that column, another one the other way; numbers as numbers, what is empty
/// last. Print opens what is folded.
inline constexpr const char* sort_script = R"js(
addEventListener("click", function (event) {
  var heading = event.target.closest && event.target.closest("th");
  if (!heading) return;
  var table = heading.closest("table"), body = table.tBodies[0], column = heading.cellIndex;
  var sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  var rows = Array.from(body.rows).map(function (row) {
    var cell = row.cells[column], text = cell.textContent;
    return { row: row, text: text, number: cell.className === "n" ? Number(text) : NaN };
  });
  rows.sort(function (a, b) {
    if (a.text === "" || b.text === "") return (a.text === "") - (b.text === "");
    if (!isNaN(a.number) && !isNaN(b.number)) return sign * (a.number - b.number);
    return sign * a.text.localeCompare(b.text, "en", { numeric: true });
  });
  table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
  heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  rows.forEach(function (entry) { body.appendChild(entry.row); });
});
addEventListener("beforeprint", function () {
  document.querySelectorAll("details").forEach(function (one) { one.open = true; });
});
)js";

}  // namespace fredsim::tb::report

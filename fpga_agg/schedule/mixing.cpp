#include "fpga_agg/schedule/mixing.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>

namespace fredsim::agg {
namespace {

/// Far above what rounding leaves of products of a few stochastic matrices, far below the smallest weight
/// that differs (1 / 64^k for short schedules).
constexpr double rounding = 1e-12;

using Matrix = Eigen::MatrixXd;

/// `matrix` multiplied by a round's matrix from the left: the rows of a clique become their mean.
void apply(const Round& round, Matrix& matrix) {
  for (const Clique& clique : round) {
    if (clique.size() < 2) continue;
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(matrix.cols());
    for (const std::uint32_t site : clique) mean += matrix.row(site);
    mean /= static_cast<double>(clique.size());
    for (const std::uint32_t site : clique) matrix.row(site) = mean;
  }
}

/// W_T ... W_1 - J/n.
Matrix difference(const std::vector<Round>& rounds, std::uint32_t sites) {
  Matrix product = Matrix::Identity(sites, sites);
  for (const Round& round : rounds) apply(round, product);
  return product - Matrix::Constant(sites, sites, 1.0 / sites);
}

}  // namespace

std::vector<double> average(const std::vector<Round>& rounds, std::vector<double> values) {
  Matrix column = Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  for (const Round& round : rounds) apply(round, column);
  return {column.data(), column.data() + column.size()};
}

double sigma(const std::vector<Round>& rounds, std::uint32_t sites) {
  const Matrix rest = difference(rounds, sites);
  if (rest.cwiseAbs().maxCoeff() < rounding) return 0;
  return Eigen::JacobiSVD<Matrix>(rest).singularValues()(0);
}

double estimated_sigma(const std::vector<Round>& rounds, std::uint32_t sites) {
  const Matrix rest = difference(rounds, sites);
  if (rest.cwiseAbs().maxCoeff() < rounding) return 0;
  // Any start with a part in every direction will do; the same one every time.
  Eigen::VectorXd vector(sites);
  for (std::uint32_t i = 0; i < sites; ++i) vector(i) = std::sin(1.0 + 7.0 * i) + 0.01 * i;
  vector.normalize();
  double norm = 0;
  for (int step = 0; step < 40; ++step) {
    vector = rest.transpose() * (rest * vector);
    norm = vector.norm();
    if (norm < rounding * rounding) return 0;
    vector /= norm;
  }
  return std::sqrt(norm);
}

bool is_exact(const std::vector<Round>& rounds, std::uint32_t sites) {
  return difference(rounds, sites).cwiseAbs().maxCoeff() < rounding;
}

double mean_second_eigenvalue(const std::vector<Round>& rounds, std::uint32_t sites) {
  Matrix mean = Matrix::Zero(sites, sites);
  for (const Round& round : rounds) {
    Matrix one = Matrix::Identity(sites, sites);
    apply(round, one);
    mean += one / static_cast<double>(rounds.size());
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(mean, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(static_cast<Eigen::Index>(sites) - 2);
}

std::optional<std::uint32_t> rounds_to_all_informed(const std::vector<Round>& rounds, std::uint32_t sites) {
  std::vector<std::uint64_t> known;  // by site, whose values it has
  for (std::uint32_t site = 0; site < sites; ++site) known.push_back(std::uint64_t{1} << site);
  const std::uint64_t all = sites == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << sites) - 1;
  // In a whole pass without news there will be none.
  std::size_t without_news = 0;
  for (std::uint32_t count = 0; !rounds.empty() && without_news < rounds.size(); ++count) {
    bool complete = true;
    for (const std::uint64_t k : known) complete = complete && k == all;
    if (complete) return count;
    const std::vector<std::uint64_t> before = known;
    for (const Clique& clique : rounds[count % rounds.size()]) {
      std::uint64_t together = 0;
      for (const std::uint32_t site : clique) together |= known[site];
      for (const std::uint32_t site : clique) known[site] = together;
    }
    without_news = known == before ? without_news + 1 : 0;
  }
  return std::nullopt;
}

}  // namespace fredsim::agg

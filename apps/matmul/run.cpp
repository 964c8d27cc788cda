// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/collective_report.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cartwright/grid/output/block_matrix_file.hpp>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <memory>
#include <optional>

#include "check.hpp"
#include "layout.hpp"
#include "local_product.hpp"
#include "timeline_picture.hpp"

namespace matmul {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

std::unique_ptr<comm::CartComm> make_cart(const grid::App& app, const Request& request,
                                          const Extents& extents) {
  const std::vector<int> dims = process_grid(app.runtime().comm().size(), extents, request);
  return app.make_cart({dims, {}, weights_of_faces(dims, extents)});
}

std::vector<int> dims_of(const comm::CartComm& cart) {
  return {cart.dims().begin(), cart.dims().end()};
}

Matrix make_matrix(const comm::CartComm& cart, long long rows, long long columns,
                   const Options& options) {
  return options.algorithm == Algorithm::pdgemm ? Matrix::cyclic(cart, rows, columns, options.block)
                                                : Matrix::plain(cart, rows, columns);
}

void set_from(Matrix& matrix, const Source& source) {
  if (source.kind == "file") return grid::read_matrix(matrix, source.file, source.dataset);
  for (const auto& [name, kind] : grid::matrix_kinds())
    if (name == source.kind) grid::fill(matrix, kind, static_cast<std::uint64_t>(source.seed));
}

/// One run: its operands and what it has found out so far.
class MatmulRun {
 public:
  MatmulRun(rt::Runtime& runtime, const Request& request)
      : app_(runtime, request),
        runtime_(runtime),
        request_(request),
        extents_(extents_of(runtime, request.matmul)),
        cart_(make_cart(app_, request, extents_)),
        phases_(runtime.trace()) {
    say_what_runs();
    grid::require_memory(*cart_, bytes_of_rank(dims_of(*cart_), extents_, options()),
                         "the matrices need",
                         "Use smaller matrices or more nodes; --dry-run says what a run needs.");
    const auto& [rows, inner, columns] = extents_;
    a_.emplace(make_matrix(*cart_, rows, inner, options()));
    b_.emplace(make_matrix(*cart_, inner, columns, options()));
    c_.emplace(make_matrix(*cart_, rows, columns, options()));
  }

  void run() {
    set_blas_threads(options().threads);
    {
      const auto timed = phases_.time(Phase::generate);
      set_from(*a_, options().a);
      set_from(*b_, options().b);
    }
    // Not before the operands are there: earlier results stay where they are until then.
    directory_.emplace(grid::OutputDirectory::prepare(
        cart_->all(),
        grid::results_directory(request_.output.directory, runtime_.deck().file_name()), false));
    runtime_.set_output_directory(directory_->path().string());
    multiply_all();
    check();
    const auto timed = time("output");
    write_results();
  }

 private:
  [[nodiscard]] const Options& options() const { return request_.matmul; }
  [[nodiscard]] rt::Timed time(const char* region) const {
    return {runtime_.trace(), runtime_.trace().region(region)};
  }

  void say_what_runs() {
    rt::Log& log = runtime_.log();
    log.entry("solver", "matmul, C = A B");
    log.entry("shape", fmt::format("({0} x {1}) ({1} x {2})", extents_.rows, extents_.inner,
                                   extents_.columns));
    log.entry("algorithm", describe_algorithm());
    for (const auto& [name, value] : cart_->description()) log.entry(name, value);
    log.entry("BLAS", fmt::format("{}, {} thread{} a rank", blas_name(), options().threads,
                                  options().threads == 1 ? "" : "s"));
  }

  [[nodiscard]] std::string describe_algorithm() const {
    switch (options().algorithm) {
      case Algorithm::summa:
        return fmt::format("summa, panels of {}, {} ahead", options().panel, options().look_ahead);
      case Algorithm::pdgemm:
        return fmt::format("pdgemm, blocks of {0} x {0}", options().block);
      case Algorithm::cannon:
      case Algorithm::fox:
        break;
    }
    return name(options().algorithm);
  }

  void multiply_all() {
    for (int i = 0; i < options().repeat; ++i) {
      {
        const auto timed = time("wait for other ranks");
        cart_->communicator().barrier();
      }
      phases_.restart();
      const rt::Ticks begun = rt::now();
      {
        const auto timed = time("product");
        multiply(options().algorithm, *a_, *b_, *c_, options().tuning(), phases_);
      }
      const double seconds = longest(rt::seconds_between(begun, rt::now()));
      seconds_.push_back(seconds);
      runtime_.log().entry(
          fmt::format("product {}", i + 1),
          fmt::format("{:.4g} s, {:.4g} Gflop/s", seconds, extents_.operations() / seconds / 1e9));
    }
    spans_ = phases_.spans();
  }

  [[nodiscard]] double longest(double mine) const {
    const auto timed = time("wait for other ranks");
    return cart_->allreduce(mine, comm::Operator::maximum);
  }

  void check() {
    if (options().check == Check::none) return;
    const auto timed = phases_.time(Phase::check);
    residual_ = freivalds_residual(*a_, *b_, *c_, static_cast<std::uint64_t>(options().a.seed));
    judge("residual", *residual_, "A (B x) and C x differ by");
    if (options().check != Check::pdgemm) return;
    Phases unrecorded(scratch_trace_);
    const Matrix other = product_by_pdgemm(*a_, *b_, *c_, options().block, unrecorded);
    difference_ = scaled_difference(*a_, *b_, *c_, other);
    judge("against pdgemm", *difference_, "the products differ by");
  }

  void judge(const char* what, double value, const char* sentence) {
    runtime_.log().entry(what, fmt::format("{:.3g} of what rounding may bring", value));
    if (value <= 1.0) return;
    throw rt::numerical_failure(
        fmt::format("the product is wrong: {} {:.3g} times what rounding may bring", sentence,
                    value),
        "If the operands hold infinite values or none at all, so does the product; otherwise this "
        "is a fault of the program or of the machine.",
        rt::Reach::all_ranks);
  }

  void write_results() {
    if (request_.output.product) {
      const auto file = directory_->path() / "product.h5";
      grid::write_matrix(*c_, file, "product", app_.info(*cart_));
      runtime_.log().entry("product", file.string());
    }
    if (request_.output.picture) draw();
    report();
    runtime_.log().entry("results", directory_->path().string());
  }

  void draw() {
    const auto spans = gather_spans(cart_->all(), spans_);
    const auto file = directory_->path() / "timeline.svg";
    const auto dims = cart_->dims();
    grid::on_root(cart_->all(), [&] {
      rt::write_file(
          file,
          timeline_svg(fmt::format("{}: ({} x {}) ({} x {}) on {} x {} ranks (columns x rows)",
                                   describe_algorithm(), extents_.rows, extents_.inner,
                                   extents_.inner, extents_.columns, dims[0], dims[1]),
                       spans));
    });
    runtime_.log().entry("picture", file.string());
  }

  void report() {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted[sorted.size() / 2];
    const auto dims = cart_->dims();
    auto& section = runtime_.report().section("matmul");
    section.add("algorithm", describe_algorithm())
        .add("rows", extents_.rows)
        .add("inner", extents_.inner)
        .add("columns", extents_.columns)
        .add("process grid (columns x rows)", fmt::format("{} x {}", dims[0], dims[1]))
        .add("products", static_cast<int>(seconds_.size()))
        .add("time of a product, shortest", sorted.front(), "s")
        .add("time of a product, median", median, "s")
        .add("speed, median", extents_.operations() / median / 1e9, "Gflop/s")
        .add("speed a rank, median", extents_.operations() / median / 1e9 / cart_->size(),
             "Gflop/s");
    comm::report_collectives(runtime_.report(), *cart_);
    if (residual_) section.add("residual, of what rounding may bring", *residual_);
    if (difference_)
      section.add("difference from pdgemm, of what rounding may bring", *difference_);
  }

  grid::App app_;
  rt::Runtime& runtime_;
  const Request& request_;
  Extents extents_;
  std::unique_ptr<comm::CartComm> cart_;
  Phases phases_;
  rt::Trace scratch_trace_;
  std::optional<Matrix> a_, b_, c_;
  std::optional<grid::OutputDirectory> directory_;
  std::vector<double> seconds_;
  std::vector<Span> spans_;
  std::optional<double> residual_, difference_;
};

}  // namespace

void run(rt::Runtime& runtime, const Request& request) {
  const auto set_up = [&] {
    const rt::Timed timed(runtime.trace(), runtime.trace().region("grid and memory"));
    return MatmulRun(runtime, request);
  };
  set_up().run();
}

void plan(rt::Runtime& runtime, const Request& request) {
  const int given = runtime.command_line().planned_ranks;
  const int ranks = given > 0 ? given : runtime.comm().size();
  const std::string& imagined = request.mapping.topology;
  if (!imagined.empty()) cartwright::mapping::VirtualTopology::parse(imagined).require_room(ranks);
  const Extents extents = extents_of(runtime, request.matmul);
  const std::vector<int> dims = process_grid(ranks, extents, request);
  const auto largest = [](long long extent, int parts) { return (extent + parts - 1) / parts; };
  const double bytes = bytes_of_rank(dims, extents, request.matmul);
  const auto text = [](double size) { return rt::readable_bytes(static_cast<long long>(size)); };
  rt::Log& log = runtime.log();
  log.heading(fmt::format("plan for {} rank{} (nothing is computed or written)", ranks,
                          ranks == 1 ? "" : "s"));
  log.entry("process grid", fmt::format("{} x {} (columns x rows)", dims[0], dims[1]));
  log.entry("product of a rank", fmt::format("{} x {}", largest(extents.rows, dims[1]),
                                             largest(extents.columns, dims[0])));
  log.entry("memory", fmt::format("{} a rank, {} together", text(bytes), text(bytes * ranks)));
  log.entry("work", fmt::format("{:.4g} Gflop, {:.4g} a rank", extents.operations() / 1e9,
                                extents.operations() / ranks / 1e9));
}

void check(rt::Runtime& runtime, const Request& request) {
  (void)extents_of(runtime, request.matmul);
}

}  // namespace matmul

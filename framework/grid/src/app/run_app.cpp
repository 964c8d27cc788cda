// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/app.hpp>
#include <cartwright/grid/run/app_options.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/version.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "kokkos_session.hpp"

namespace cartwright::grid {

namespace {

struct AppRequest : AppOptions {
  ExchangeOptions exchange;
};

}  // namespace

int run_app(int argc, char** argv, const std::string& about, std::function<void(App&)> body) {
  const auto request = std::make_shared<AppRequest>();
  rt::Program program;
  program.name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "cartwright";
  program.version = rt::version();
  program.commit = rt::commit();
  program.description = about;
  program.deck_is_optional = true;
  rt::Module deck;
  deck.name = "app";
  deck.schema = [request](rt::SectionNode& root) {
    bind_app_options(root, *request);
    bind_exchange_options(root, request->exchange);
  };
  deck.check = [request](const rt::Deck& given) {
    constexpr long long any = std::numeric_limits<int>::max();
    check_app_options(given, *request, {any, any, any});
  };
  return rt::execute(argc, argv, program, {std::move(deck), kokkos_module()},
                     [request, body = std::move(body)](rt::Runtime& runtime) {
                       App app(runtime, *request, request->exchange);
                       body(app);
                       report_inner_loops(runtime.report(), app.inner_loops());
                     });
}

}  // namespace cartwright::grid

//! The project's commands: `cargo xtask play | test | build | pack | sbom | words | weights | bench`.
//!
//! The one binary plays three parts and looks at the name it is called by: as `wasm-bindgen` and as
//! `wasm-bindgen-test-runner` it is those tools, at the version that Cargo.lock pins; under any other
//! name it is xtask. [`tools::link`] puts it under the first two names.
//!
//! [`step`] runs things and says what failed; [`tools`] sees to what must be installed; [`wasm`]
//! makes modules; [`web`], [`pack`], [`component`], [`docs`], [`serve`], [`test`], [`supply`], [`words`] and
//! [`bench`] are the commands.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the commands are a host: they read files, wait and listen"
)]

mod bench;
mod component;
mod docs;
mod gates;
mod markdown;
mod order;
mod pack;
mod reach;
mod serve;
mod split;
mod step;
mod supply;
mod test;
mod tools;
mod wasm;
mod web;
mod words;

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use step::Outcome;

/// How long the playground is served when nobody asks for anything.
const HOUR: Duration = Duration::from_secs(60 * 60);

fn main() -> ExitCode {
    let called_as = env::args_os().next().unwrap_or_default();
    let name = Path::new(&called_as).file_stem().unwrap_or_default();

    if name == "wasm-bindgen" {
        return tool(wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(
            env::args_os(),
        ));
    }
    if name == "wasm-bindgen-test-runner" {
        let args = env::args_os();
        return tool(wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args));
    }

    match command(Xtask::parse().command) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

/// The project's commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the playground, or the documentation, and serve it on 127.0.0.1.
    Play {
        /// The documentation, with its demos, in place of the playground.
        #[arg(long)]
        docs: bool,
        /// The port to listen on; without it 8417 (the documentation: 8418), or any free one when that is taken.
        #[arg(long)]
        port: Option<u16>,
        /// Fetch the page once and stop.
        #[arg(long)]
        check: bool,
    },
    /// Run every check and every test.
    Test {
        /// A step's name (format, supply, lint, docs, rust, wasm32, bare-metal, package, e2e,
        /// gates) runs that step;
        /// anything else runs the tests whose names contain it.
        filter: Option<String>,
        /// Also what is too heavy for each run: the sample for Ray, on a local Ray from PyPI (600 MB on the disk), and
        /// the component in a host on the wasmtime crate, which takes ten minutes to compile.
        #[arg(long)]
        all: bool,
    },
    /// Build the playground into target/site, the npm package into target/npm/package and the documentation
    /// into target/docs.
    Build {
        /// Only this one.
        part: Option<Part>,
    },
    /// Build the npm package and pack it into target/npm/claimgauge-VERSION.tgz.
    Pack,
    /// List what is shipped, as CycloneDX has it, in target/sbom.cdx.json.
    Sbom,
    /// Make the list of ordinary words anew from its source.
    Words,
    /// Fit the built-in judge's weights anew to the labelled claims.
    Weights,
    /// Measure how good and how fast things are, and print all gates in one table.
    ///
    /// Ends with 1 when a gate is missed.
    Bench {
        /// Only this, with its own gates.
        what: Option<Benchmark>,
        /// Print each fault that was found, not only how many.
        #[arg(long)]
        verbose: bool,
    },
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Benchmark {
    /// Batches of a million claims: how fast they are planned and merged, and in how much memory.
    Batch,
    /// The built-in judge: what each pass tells right of the labelled claims, by how they were made, and how
    /// long a claim on 10 KB takes.
    Builtin,
    /// A small model as the judge of labelled claims, on this machine: verdicts, deltas and statuses by
    /// label. It has no gate and takes long; a run that was interrupted goes on where it was.
    Judge,
    /// The check of outputs: the shape alone, 1 GiB in one file, 10,000 small files.
    Output,
    /// The scrubber: leaks, over-scrub and kinds; throughput natively and through the npm package, scaling,
    /// and its peers on the same text.
    Scrub,
    /// What a claim costs of a judge: calls and prompt tokens, beside promptfoo's and autoevals' on the same claims.
    Tokens,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    Web,
    Pkg,
    /// The core as a WebAssembly component, in target/component: only when it is named.
    Component,
    /// With the package, whose demos it shows.
    Docs,
}

fn command(command: Command) -> Outcome<ExitCode> {
    match command {
        Command::Play { docs, port, check } => {
            // A port each: the playground's worker answers for all that it finds on its own.
            let (what, folder, usual) = match docs {
                true => ("documentation", docs::build()?, 8418),
                false => ("playground", web::build()?, 8417),
            };
            let port = port.map_or(serve::Port::Usual(usual), serve::Port::Asked);
            let site = serve::start(&folder, port)?;
            println!("\nThe {what} is at {}", site.address);
            if !check {
                println!("Ctrl-C stops it; it stops by itself after an hour without a request.");
                site.wait_until_idle(HOUR);
                println!("Stopped: nobody asked for anything for an hour.");
            }
        }
        Command::Test { filter, all } => return Ok(test::run(filter.as_deref(), all)),
        Command::Build { part } => {
            if matches!(part, None | Some(Part::Web)) {
                web::build()?;
            }
            match part {
                None | Some(Part::Docs) => drop(docs::build()?),
                Some(Part::Component) => drop(component::build()?),
                Some(Part::Pkg) => drop(pack::build()?),
                Some(Part::Web) => {}
            }
        }
        Command::Pack => {
            pack::pack()?;
        }
        Command::Sbom => println!("{}", supply::list_of_materials()?.display()),
        Command::Words => words::make()?,
        Command::Weights => bench::weights()?,
        Command::Bench { what, verbose } => {
            let met = match what {
                None => bench::all(verbose)?,
                Some(Benchmark::Judge) => bench::judge().map(|()| true)?,
                Some(Benchmark::Batch) => bench::one("batch", verbose)?,
                Some(Benchmark::Builtin) => bench::one("builtin", verbose)?,
                Some(Benchmark::Output) => bench::one("output", verbose)?,
                Some(Benchmark::Scrub) => bench::one("scrub", verbose)?,
                Some(Benchmark::Tokens) => bench::one("tokens", verbose)?,
            };
            if !met {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tool<E: std::fmt::Display>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

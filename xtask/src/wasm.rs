//! From a crate to a small wasm module with its JavaScript.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use walrus::ir::Value;
use walrus::{
    ConstExpr, DataId, DataKind, FunctionBuilder, FunctionId, FunctionKind, InstrSeqBuilder, Module,
};
use wasmparser::BinaryReaderError;

use crate::step::{Failure, Outcome, at, cargo, cargo_target, root, run};
use crate::{order, reach, tools};

/// Compiles packages in release and returns the folder that cargo wrote the modules to. `options` are cargo's own.
///
/// Each module is linked and optimised as a whole, by one core: several at a time keep the others busy.
pub(crate) fn compile(packages: &[&str], options: &[&str]) -> Outcome<PathBuf> {
    run(
        cargo()
            .args(["build", "--release", "--target", "wasm32-unknown-unknown"])
            .args(packages.iter().flat_map(|package| ["-p", package]))
            .args(options),
        "look at the compiler's message above",
    )?;
    Ok(cargo_target().join("wasm32-unknown-unknown/release"))
}

/// Where Rust's own code panics, as parts of the names that rustc gives it.
const PANICS: [&str; 13] = [
    "4core9panicking",
    "3std9panicking11begin_panic",
    "4core4cell22panic_already_borrowed",
    "4core4cell30panic_already_mutably_borrowed",
    "4core5slice5index16slice_index_fail",
    "4core5slice20copy_from_slice_impl17len_mismatch_fail",
    "4core3str16slice_error_fail",
    "4core6option13expect_failed",
    "4core6option13unwrap_failed",
    "4core6result13unwrap_failed",
    "5alloc7raw_vec12handle_error",
    "5alloc5alloc18handle_alloc_error",
    "6thread5local18panic_access_error",
];

/// The crates of the engine for patterns. Its parts are behind traits that ask for `Debug`, so the code that would
/// print each of them is in the module, and nothing prints one.
const ENGINE: [&str; 3] = ["aho_corasick", "regex_automata", "regex_syntax"];

/// What prints values for who looks for faults, as parts of the names that rustc gives it: `Debug` in both of its
/// manglings, and what indents it.
const PRINTING: [&str; 3] = ["..fmt..Debug$GT$3fmt", "5Debug3fmt", "10PadAdapter"];

/// Writes a module whose values print nothing as `Debug`, as `NAME.wasm` into `folder`. Messages of panics had that,
/// which are no more: a program that prints it elsewhere has need of it.
pub(crate) fn without_debug(module: &Path, folder: &Path, name: &str) -> Outcome<PathBuf> {
    rewrite(module, folder, name, |wasm| {
        for id in named(wasm, prints) {
            empty(wasm, id, |body| {
                // It worked.
                body.i32_const(0);
            });
        }
        Ok(())
    })
}

/// Writes a program that was linked with its relocations with traps for what panics or prints as `Debug`, and for what
/// only that reaches, as `NAME.wasm` into `folder`: who takes it apart does not find them.
pub(crate) fn without_unreached(module: &Path, folder: &Path, name: &str) -> Outcome<PathBuf> {
    let bytes = fs::read(module).map_err(at(module))?;
    let trapping = reach::trap_unreached(&bytes, |name| is_unused(name) || prints(name));
    write(&trapping.map_err(unread(module))?, folder, name)
}

fn unread(module: &Path) -> impl FnOnce(BinaryReaderError) -> Failure {
    move |error| {
        Failure::new(
            format!("{}: {error}", module.display()),
            "the module is not what wasmparser reads: look at its version",
        )
    }
}

/// Writes a module in which each panic is a trap at once, as `NAME.wasm` into `folder`.
///
/// On wasm32-unknown-unknown a panic forms its message, finds nobody to tell it, and traps: to its
/// caller that is the same. What forms the messages is left for wasm-opt to find unused. So is what would print the
/// [`ENGINE`]'s insides. Of a module that was linked with its relocations what only they read or name is gone, and the
/// relocations, which would be wrong.
pub(crate) fn trap_on_panic(module: &Path, folder: &Path, name: &str) -> Outcome<PathBuf> {
    let bytes = fs::read(module).map_err(at(module))?;
    let reached = reach::trap_unreached(&bytes, is_unused).map_err(unread(module))?;
    let reached = write(&reached, folder, name)?;
    rewrite(&reached, folder, name, |wasm| {
        remove_relocations(wasm);
        match trap(wasm) {
            0 => Err("no function of those that panic is in it"),
            _ => Ok(()),
        }
    })
}

/// The same of a part of a program, which may have all that panics in common with the first.
pub(crate) fn trap_part_on_panic(part: &Path, folder: &Path, name: &str) -> Outcome<PathBuf> {
    rewrite(part, folder, name, |wasm| {
        trap(wasm);
        Ok(())
    })
}

fn is_unused(name: &str) -> bool {
    has_one_of(name, &PANICS)
        || name.contains("Debug") && has_one_of(name, &ENGINE)
        || name.contains(STREAMS) && !name.contains(DESCRIBES)
}

fn prints(name: &str) -> bool {
    has_one_of(name, &PRINTING)
}

fn has_one_of(name: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| name.contains(part))
}

/// Empties the functions that panic, or print what nobody prints, and says how many there are.
fn trap(wasm: &mut Module) -> usize {
    let panics = named(wasm, is_unused);
    for id in &panics {
        empty(wasm, *id, |body| {
            body.unreachable();
        });
    }
    forget_places(wasm);
    panics.len()
}

/// The functions of a module's own whose names are such.
fn named(wasm: &Module, is_one: impl Fn(&str) -> bool) -> Vec<FunctionId> {
    let own = wasm.funcs.iter_local().map(|(id, _)| id);
    own.filter(|id| is_one(wasm.funcs.get(*id).name.as_deref().unwrap_or_default()))
        .collect()
}

/// Puts another body into a function.
fn empty(wasm: &mut Module, id: FunctionId, write: impl FnOnce(&mut InstrSeqBuilder<'_>)) {
    let local = wasm.funcs.get(id).kind.unwrap_local();
    let (args, ty) = (local.args.clone(), wasm.types.get(local.ty()).clone());
    let mut body = FunctionBuilder::new(&mut wasm.types, ty.params(), ty.results());
    write(&mut body.func_body());
    wasm.funcs.get_mut(id).kind = FunctionKind::Local(body.local_func(args));
}

/// Takes away what the linker says for who takes a module apart.
fn remove_relocations(wasm: &mut Module) {
    let customs = wasm.customs.iter();
    let written = customs.filter(|(_, section)| {
        let name = section.name();
        name == "linking" || name.starts_with("reloc.")
    });
    let written: Vec<_> = written.map(|(id, _)| id).collect();
    for section in written {
        wasm.customs.delete(section);
    }
}

/// What wasm-streams has every module export that it is linked into. No program of this repository makes one.
const STREAMS: &str = "intounderlying";
/// In the names of the functions that wasm-bindgen runs to know the others' types.
const DESCRIBES: &str = "__wbindgen_describe";
/// How the names of its classes begin in the script.
const STREAM_CLASSES: &str = "IntoUnderlying";

/// Makes a module and its script smaller once wasm-bindgen has written both: gives what they call each other
/// short names, and takes away what nobody calls. In place.
pub(crate) fn shorten_names(module: &Path, script: &Path) -> Outcome {
    let mut text = fs::read_to_string(script).map_err(at(script))?;
    let folder = module.parent().unwrap_or(Path::new(""));
    let name = module.file_stem().unwrap_or_default().to_string_lossy();
    rewrite(module, folder, &name, |wasm| {
        remove_exports(wasm, |export| export.contains(STREAMS));
        let mut names: Vec<String> = Vec::new();
        let is_long = |name: &str| name.starts_with("__wbg_") || name.starts_with("wasm_bindgen__");
        names.extend(wasm.imports.iter().map(|import| import.name.clone()));
        names.extend(wasm.exports.iter().map(|export| export.name.clone()));
        names.retain(|name| is_long(name));
        names.sort();
        names.dedup();
        // The longest first: some begin as others do.
        names.sort_by_key(|name| usize::MAX - name.len());
        let short = |name: &str| {
            let at = names.iter().position(|known| known == name)?;
            Some(format!("_{at}"))
        };
        for import in wasm.imports.iter_mut() {
            if let Some(name) = short(&import.name) {
                import.name = name;
            }
        }
        for export in wasm.exports.iter_mut() {
            if let Some(name) = short(&export.name) {
                export.name = name;
            }
        }
        text = without_streams(&text);
        for (at, name) in names.iter().enumerate() {
            text = text.replace(name.as_str(), &format!("_{at}"));
        }
        Ok(())
    })?;
    fs::write(script, text).map_err(at(script))
}

/// A script without the classes of wasm-streams and what belongs to them, as wasm-bindgen writes them: statements that
/// begin at the margin and go to a brace there, or to a semicolon.
fn without_streams(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut end = None;
    for line in script.split_inclusive('\n') {
        if end.is_none() && !line.starts_with(' ') && line.contains(STREAM_CLASSES) {
            let class = line.starts_with("export class");
            end = Some(if class { "}\n" } else { ";\n" });
        } else if end.is_none() {
            kept.push_str(line);
            continue;
        }
        let whole = |end| match end {
            "}\n" => line == end,
            _ => line.ends_with(end),
        };
        end = end.filter(|end| !whole(end));
    }
    kept
}

fn remove_exports(wasm: &mut Module, is_one: impl Fn(&str) -> bool) {
    let exports = wasm.exports.iter().filter(|export| is_one(&export.name));
    let exports: Vec<_> = exports.map(|export| export.id()).collect();
    for export in exports {
        wasm.exports.delete(export);
    }
    walrus::passes::gc::run(wasm);
}

fn rewrite(
    module: &Path,
    folder: &Path,
    name: &str,
    change: impl FnOnce(&mut Module) -> Result<(), &'static str>,
) -> Outcome<PathBuf> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(
            format!("{}: {error}", module.display()),
            "the module is not what walrus reads: look at its version",
        )
    };
    let mut wasm = Module::from_file(module).map_err(|error| failed(&error))?;
    change(&mut wasm).map_err(|error| failed(&error))?;
    write(&wasm.emit_wasm(), folder, name)
}

fn write(module: &[u8], folder: &Path, name: &str) -> Outcome<PathBuf> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let file = folder.join(format!("{name}.wasm"));
    fs::write(&file, module).map_err(at(&file))?;
    Ok(file)
}

/// Fails where a module that is shipped names a folder of the machine that compiled it.
pub(crate) fn check_places(module: &Path) -> Outcome {
    let bytes = fs::read(module).map_err(at(module))?;
    let home = env::var("CARGO_HOME").unwrap_or_default();
    let places = [root().to_string_lossy().into_owned(), home];
    let own = places
        .iter()
        .map(String::as_str)
        .filter(|path| path.len() > 1);
    for place in own.chain(["/.cargo/", "/.rustup/", REGISTRY, TOOLCHAIN]) {
        let found = bytes
            .windows(place.len())
            .position(|part| part == place.as_bytes());
        if let Some(start) = found {
            let around = &bytes[start.saturating_sub(40)..bytes.len().min(start + 80)];
            return Err(Failure::new(
                format!(
                    "{} names a folder of this machine: {}",
                    module.display(),
                    around.escape_ascii()
                ),
                "see where it comes from: xtask/src/wasm.rs takes away those that panics name",
            ));
        }
    }
    Ok(())
}

/// Below which a crate's sources lie, by index and name.
const REGISTRY: &str = "/registry/src/";

/// Below which the standard library's sources lie.
const TOOLCHAIN: &str = "/rustlib/src/rust/";

/// Blanks the places in the sources that panics would have named: no code reads them any more, and the paths
/// among them are those of the machine that compiled.
fn forget_places(wasm: &mut Module) {
    let mut memory = Memory::of(wasm);
    for (at, place) in memory.places() {
        memory.blank(at, PanicPlace::SIZE);
        memory.blank(place.path, place.length);
    }
    memory.store(wasm);
}

/// A module's memory as it is at its start.
struct Memory(Vec<Segment>);

struct Segment {
    id: DataId,
    start: usize,
    bytes: Vec<u8>,
}

impl Memory {
    fn of(wasm: &Module) -> Self {
        let segments = wasm.data.iter().filter_map(|data| match data.kind {
            DataKind::Active {
                offset: ConstExpr::Value(Value::I32(start)),
                ..
            } => Some(Segment {
                id: data.id(),
                start: start as usize,
                bytes: data.value.clone(),
            }),
            _ => None,
        });
        Self(segments.collect())
    }

    /// Every place in the sources, and where it lies.
    fn places(&self) -> Vec<(usize, PanicPlace)> {
        let mut places = Vec::new();
        for Segment { start, bytes, .. } in &self.0 {
            for at in (0..bytes.len()).step_by(4) {
                let place = bytes[at..].first_chunk().map(PanicPlace::read);
                let place = place.filter(|place| place.is_one(self));
                places.extend(place.map(|place| (start + at, place)));
            }
        }
        places
    }

    fn read(&self, at: usize, length: usize) -> Option<&[u8]> {
        self.0.iter().find_map(|segment| {
            let from = segment.position(at, length)?;
            Some(&segment.bytes[from..from + length])
        })
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        for segment in &mut self.0 {
            if let Some(from) = segment.position(at, bytes.len()) {
                segment.bytes[from..from + bytes.len()].copy_from_slice(bytes);
            }
        }
    }

    fn blank(&mut self, at: usize, length: usize) {
        self.write(at, &vec![0; length]);
    }

    fn store(self, wasm: &mut Module) {
        for Segment { id, bytes, .. } in self.0 {
            wasm.data.get_mut(id).value = bytes;
        }
    }
}

impl Segment {
    /// Where in the segment a stretch of the memory is, if it is there.
    fn position(&self, at: usize, length: usize) -> Option<usize> {
        let from = at.checked_sub(self.start)?;
        let end = from.checked_add(length)?;
        (end <= self.bytes.len()).then_some(from)
    }
}

/// How a `core::panic::Location` may lie in memory.
struct PanicPlace {
    path: usize,
    length: usize,
    line: usize,
    column: usize,
}

impl PanicPlace {
    const SIZE: usize = 16;

    fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let word = |nth: usize| {
            let bytes = bytes[4 * nth..].first_chunk();
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
        };
        Self {
            path: word(0),
            length: word(1),
            line: word(2),
            column: word(3),
        }
    }

    /// Whether it is one: a line and a column of a source. The numbers of anything else are addresses, which are
    /// larger.
    fn is_one(&self, memory: &Memory) -> bool {
        (1..100_000).contains(&self.line)
            && (1..1000).contains(&self.column)
            && memory
                .read(self.path, self.length)
                .is_some_and(|path| path.ends_with(b".rs") && path.contains(&b'/'))
    }
}

/// Writes a module's JavaScript, and the module that fits it, as `NAME.js` and `NAME_bg.wasm`.
///
/// `options` are wasm-bindgen's own: the target, whether types are written.
pub(crate) fn bindgen(module: &Path, folder: &Path, name: &str, options: &[&str]) -> Outcome {
    run(
        tools::wasm_bindgen()
            .arg(module)
            .arg("--out-dir")
            .arg(folder)
            .args([
                "--out-name",
                name,
                "--remove-name-section",
                "--remove-producers-section",
            ])
            .args(options),
        "look at the message above; where it names a schema version, Cargo.toml and \
         xtask/Cargo.toml must name the same version of wasm-bindgen",
    )
}

/// wasm-opt puts a function with one caller into it, whatever its size: what comes of that is so large that
/// engines compile it longer than a short run lasts.
///
/// The lowest kilobyte of the memory is the end of the stack, which nothing points into: where that is known,
/// offsets need no additions.
const OPTIONS: [&str; 2] = [
    "--one-caller-inline-max-function-size=60",
    "--low-memory-unused",
];

/// Has wasm-opt sort the functions by the names that [`order::named`] gives them.
const IN_ORDER: &str = "--reorder-functions-by-name";

/// The passes that make a module small, and keep its pace. The one between looks at the whole of it for what is always the
/// same.
pub(crate) const SMALL: [&str; 3] = ["-Oz", "--gufa", "-Oz"];

/// Those that make it smaller by another hundredth, and up to a twentieth slower: the control flow is built anew, and what
/// that leaves is gone over once more.
pub(crate) const SMALLEST: [&str; 5] = ["--flatten", "--rereloop", "-Oz", "-Oz", "-Oz"];

/// Makes a module smaller in place and prints its sizes. No feature flags: the module names what it
/// uses, and with all features on wasm-opt writes types that Node 20 refuses. The second time round it finds a little
/// more, and puts the functions in their order.
///
/// It takes ten seconds and more, so the last result is kept. It lies where npm removes it when it
/// installs another wasm-opt.
pub(crate) fn optimise(module: &Path, passes: &[&str]) -> Outcome {
    let folder = root().join("xtask/node_modules/.optimised");
    // Modules of one name are not the same in the package and on the page.
    let place = module.strip_prefix(root()).unwrap_or(module);
    let name = place.to_string_lossy().replace(['/', '\\'], "-");
    let options = [passes.concat(), OPTIONS.concat(), IN_ORDER.into()].concat();
    let input = folder.join(format!("{name}{options}.in"));
    let output = folder.join(format!("{name}{options}.out"));
    fs::create_dir_all(&folder).map_err(at(&folder))?;

    let bytes = fs::read(module).map_err(at(module))?;
    if fs::read(&input).is_ok_and(|last| last == bytes) {
        println!("    the module is the last one: its optimised form is taken again");
    } else {
        // The input is written last and removed first: while it is there, the output is its own.
        if input.exists() {
            fs::remove_file(&input).map_err(at(&input))?;
        }
        let wasm_opt = |from: &Path, more: &[&str]| {
            run(
                tools::npm_program("xtask", "wasm-opt")
                    .args(passes)
                    .args(OPTIONS)
                    .args(more)
                    .arg(from)
                    .arg("-o")
                    .arg(&output),
                "remove xtask/node_modules and try again",
            )
        };
        wasm_opt(module, &[])?;
        let smaller = fs::read(&output).map_err(at(&output))?;
        let named = order::named(&smaller).ok_or_else(|| {
            Failure::new(
                format!("{} is no module", output.display()),
                "wasm-opt has written what walrus does not read: look at their versions",
            )
        })?;
        fs::write(&output, named).map_err(at(&output))?;
        wasm_opt(&output, &[IN_ORDER])?;
        fs::write(&input, bytes).map_err(at(&input))?;
    }
    fs::copy(&output, module).map_err(at(&output))?;
    run(
        Command::new("node")
            .arg(root().join("xtask/sizes.mjs"))
            .arg(module),
        "the module is not valid for this Node: look at wasm-opt's version and flags",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_of_wasm_streams_leaves_a_script() {
        let script = "export class IntoUnderlyingSink {\n    free() {\n        run();\n    }\n}\nif (Symbol.dispose) \
            IntoUnderlyingSink.free;\n\nexport class Other {\n    free() {}\n}\nconst IntoUnderlyingSinkFinalization = \
            (1)\n    ? { register: () => {} }\n    : new Registry(ptr => wasm.free(ptr, 1));\nlet wasm;\n";
        let kept = "\nexport class Other {\n    free() {}\n}\nlet wasm;\n";
        assert_eq!(without_streams(script), kept);
    }

    /// Two places in one source, as rustc lays them out.
    fn with_places(path: &str) -> Module {
        const START: usize = 1024;
        let mut bytes = Vec::new();
        for line in [7, 9] {
            let words = [START + 32, path.len(), line, 5];
            bytes.extend(words.map(|word| (word as u32).to_le_bytes()).concat());
        }
        bytes.extend(path.as_bytes());
        let mut wasm = Module::default();
        let memory = wasm.memories.add_local(false, false, 1, None, None);
        let offset = ConstExpr::Value(Value::I32(START as i32));
        wasm.data.add(DataKind::Active { memory, offset }, bytes);
        wasm
    }

    #[test]
    fn places_are_forgotten() {
        let path = "/home/ada/.cargo/registry/src/index.example-0f/leptos-0.8.23/src/lib.rs";
        assert_eq!(Memory::of(&with_places(path)).places().len(), 2);
        let mut none = with_places(path);
        forget_places(&mut none);
        assert!(Memory::of(&none).places().is_empty());

        let folder = env::temp_dir().join(format!("claimgauge-places-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("there is room");
        let check = |wasm: &mut Module| {
            let file = folder.join("module.wasm");
            fs::write(&file, wasm.emit_wasm()).expect("there is room");
            check_places(&file).is_ok()
        };
        assert!(check(&mut none));
        assert!(!check(&mut with_places(path)));
        fs::remove_dir_all(&folder).expect("it is there");
    }
}

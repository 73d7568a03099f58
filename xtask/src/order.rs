//! The order of a module's functions. What compresses a module finds the better what it has seen before the nearer
//! that stands, and calls go by number, whatever the order: so functions that are alike stand side by side.

use std::collections::HashMap;
use std::ops::Range;

use walrus::{ImportKind, Module};

/// How many bytes in a row are compared.
const ROW: usize = 4;

/// What more functions than these have in common tells none of them apart.
const COMMON: usize = 200;

/// How alike the next function must be, of 1; where none is, the order of the bytes goes on.
const ALIKE: f64 = 0.1;

/// The sections of a module that are looked at or written, by their numbers.
const CUSTOM: u8 = 0;
const CODE: u8 = 10;

/// The module with its functions named by their place in that order, for who sorts them by name. `None` where it is no
/// module.
pub(crate) fn named(module: &[u8]) -> Option<Vec<u8>> {
    let imports = Module::from_buffer(module).ok()?.imports;
    let is_function = |kind: &ImportKind| matches!(kind, ImportKind::Function(_));
    let imported = imports.iter().filter(|one| is_function(&one.kind)).count();
    let bodies = bodies(module)?;
    let mut names = vec![String::new(); bodies.len()];
    for (rank, function) in order(&bodies).into_iter().enumerate() {
        names[function] = format!("{rank:06}");
    }
    let mut functions = number(names.len());
    for (at, name) in names.iter().enumerate() {
        functions.extend(number(imported + at));
        functions.extend(counted(name.as_bytes()));
    }
    let mut section = counted(b"name");
    section.push(1);
    section.extend(counted(&functions));
    let mut named = module.to_vec();
    named.push(CUSTOM);
    named.extend(counted(&section));
    Some(named)
}

/// The functions' code.
fn bodies(module: &[u8]) -> Option<Vec<&[u8]>> {
    // Behind the magic number and the version.
    let mut at = 8;
    while let Some(id) = module.get(at) {
        at += 1;
        let content = next(module, &mut at)?;
        if *id == CODE {
            let (section, mut at) = (&module[content], 0);
            let count = read_number(section, &mut at)?;
            return (0..count)
                .map(|_| Some(&section[next(section, &mut at)?]))
                .collect();
        }
    }
    Some(Vec::new())
}

/// The functions by number: after each the one that is the most like it.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let rows: Vec<Vec<&[u8]>> = bodies.iter().map(|body| rows(body)).collect();
    let mut having: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (function, rows) in rows.iter().enumerate() {
        for row in rows {
            having.entry(row).or_default().push(function);
        }
    }
    let mut by_bytes: Vec<usize> = (0..bodies.len()).collect();
    by_bytes.sort_by_key(|function| (bodies[*function], *function));
    let mut is_placed = vec![false; bodies.len()];
    let mut order: Vec<usize> = Vec::new();
    let mut shared = vec![0_u32; bodies.len()];
    for first in by_bytes {
        let mut next = Some(first).filter(|first| !is_placed[*first]);
        while let Some(function) = next {
            is_placed[function] = true;
            order.push(function);
            let mut seen = Vec::new();
            for row in &rows[function] {
                let others = having.get(row).map_or(&[][..], Vec::as_slice);
                if others.len() > COMMON {
                    continue;
                }
                for other in others.iter().copied().filter(|other| !is_placed[*other]) {
                    if shared[other] == 0 {
                        seen.push(other);
                    }
                    shared[other] += 1;
                }
            }
            // Of those that are as much alike the first: the same module gives the same order.
            seen.sort_unstable();
            let mut best = ALIKE;
            next = None;
            for other in seen {
                let both = rows[function].len() + rows[other].len();
                let alike = 2.0 * f64::from(shared[other]) / both as f64;
                shared[other] = 0;
                if alike > best {
                    (best, next) = (alike, Some(other));
                }
            }
        }
    }
    order
}

/// Each row of bytes that a function has, once.
fn rows(body: &[u8]) -> Vec<&[u8]> {
    let mut rows: Vec<&[u8]> = body.windows(ROW).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// A stretch behind its length.
fn next(bytes: &[u8], at: &mut usize) -> Option<Range<usize>> {
    let length = read_number(bytes, at)?;
    let start = *at;
    *at = start.checked_add(length)?;
    (*at <= bytes.len()).then_some(start..*at)
}

/// Bytes behind their length.
pub(crate) fn counted(bytes: &[u8]) -> Vec<u8> {
    let mut counted = number(bytes.len());
    counted.extend(bytes);
    counted
}

/// A number as modules have it: seven bits a byte, the lowest first.
pub(crate) fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn read_number(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut number = 0;
    for place in 0..5 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= usize::from(byte & 127) << (7 * place);
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use walrus::{FunctionBuilder, Module, ValType};

    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for one in [0, 1, 127, 128, 300, 65_535, 1 << 21] {
            let (bytes, mut at) = (number(one), 0);
            assert_eq!(read_number(&bytes, &mut at), Some(one));
            assert_eq!(at, bytes.len());
            assert_eq!(read_number(&bytes[..at - 1], &mut 0), None);
        }
    }

    #[test]
    fn what_is_alike_stands_side_by_side() {
        let (a, b) = (b"abcdefghijklmnop".repeat(4), b"0123456789+-*/()".repeat(4));
        let with = |body: &[u8], end: &[u8]| [body, end].concat();
        let bodies = [
            with(&a, b"1"),
            with(&b, b"x"),
            with(b"#", &a),
            with(b"?", &b),
            with(&a, b"2"),
        ];
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let order = order(&bodies);
        let is_a: Vec<bool> = order.iter().map(|at| [0, 2, 4].contains(at)).collect();
        assert_eq!(is_a.windows(2).filter(|two| two[0] != two[1]).count(), 1);
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn each_function_of_a_module_is_named_once() {
        let mut wasm = Module::default();
        for value in [5, 7, 5] {
            let mut function = FunctionBuilder::new(&mut wasm.types, &[], &[ValType::I32]);
            function.func_body().i32_const(value);
            let function = function.finish(Vec::new(), &mut wasm.funcs);
            wasm.exports
                .add(&format!("f{}", wasm.exports.iter().count()), function);
        }
        let named = named(&wasm.emit_wasm()).expect("it is a module");
        let read = Module::from_buffer(&named).expect("it is still one");
        let mut names: Vec<_> = read
            .funcs
            .iter()
            .filter_map(|one| one.name.clone())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["000000", "000001", "000002"]);
        assert!(super::named(b"no module").is_none());
    }
}

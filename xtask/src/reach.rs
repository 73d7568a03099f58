//! What of a module nobody reads or calls once some of its functions are emptied. It is found by what the linker
//! says of its work: who names which function and which data, from what the module exports.

use std::ops::Range;

use wasmparser::{
    BinaryReaderError, ExternalKind, FunctionBody, KnownCustom, Linking, Operator, Parser, Payload,
    RelocationEntry, RelocationType, SymbolFlags, SymbolInfo, TypeRef,
};

/// The module, which must be linked with its relocations, with zeros where there are data that nobody names but
/// functions whose names are such: those are about to be emptied.
pub(crate) fn blank_unread(
    module: &[u8],
    is_emptied: impl Fn(&str) -> bool,
) -> Result<Vec<u8>, BinaryReaderError> {
    let linked = Linked::read(module, is_emptied)?;
    Ok(linked.blanked(module))
}

/// The same, and the functions that only such data and functions name are traps: their numbers in the table would keep
/// them. The relocations in them are wrong then. A module that has none stays as it is.
pub(crate) fn trap_unreached(
    module: &[u8],
    is_emptied: impl Fn(&str) -> bool,
) -> Result<Vec<u8>, BinaryReaderError> {
    let linked = Linked::read(module, is_emptied)?;
    let mut trapping = linked.blanked(module);
    if !linked.is_told {
        return Ok(trapping);
    }
    let is_reached = linked.reached();
    for (node, place) in linked.bodies() {
        if !is_reached[node]
            && let [no_locals, traps @ .., end] = &mut trapping[place]
            && !traps.is_empty()
        {
            *no_locals = 0;
            traps.fill(UNREACHABLE);
            *end = END;
        }
    }
    Ok(trapping)
}

const UNREACHABLE: u8 = 0x00;
const END: u8 = 0x0b;

/// A function or a piece of data, by where it stands in [`Linked::places`]: the functions first, by their numbers.
type Node = usize;

/// What the linker says of a module. Places are of the module's bytes.
struct Linked {
    /// Whether the linker says anything.
    is_told: bool,
    functions: usize,
    /// Where each node has its bytes. Functions that are imported or emptied, and data that are zeros, have none.
    places: Vec<Range<usize>>,
    /// What is reached from outside.
    roots: Vec<Node>,
    /// Where something is named, and what, by place.
    named: Vec<(usize, Node)>,
}

impl Linked {
    fn read(module: &[u8], is_emptied: impl Fn(&str) -> bool) -> Result<Self, BinaryReaderError> {
        let sections = Sections::read(module)?;
        let functions = sections.functions.len();
        let mut linked = Self {
            is_told: !sections.relocations.is_empty(),
            functions,
            places: sections.functions,
            roots: sections.roots,
            named: sections.calls,
        };
        // Each symbol has a node, so that relocations find theirs by their numbers.
        for (nth, symbol) in sections.symbols.iter().enumerate() {
            let mut place = NOWHERE;
            let (flags, node) = match *symbol {
                SymbolInfo::Func { flags, index, name } => {
                    if name.is_some_and(&is_emptied) {
                        linked.places[index as Node] = NOWHERE;
                    }
                    (flags, index as Node)
                }
                SymbolInfo::Data { flags, symbol, .. } => {
                    let at = symbol.and_then(|data| {
                        let segment = sections.segments.get(data.index as usize)?;
                        let start = segment.start + data.offset as usize;
                        let end = start + data.size as usize;
                        (end <= segment.end).then_some(start..end)
                    });
                    place = at.unwrap_or(NOWHERE);
                    (flags, functions + nth)
                }
                _ => (SymbolFlags::empty(), functions + nth),
            };
            linked.places.push(place);
            if flags.intersects(SymbolFlags::EXPORTED | SymbolFlags::NO_STRIP) {
                linked.roots.push(node);
            }
        }
        for (section, relocation) in sections.relocations {
            let symbol = relocation.index as usize;
            let node = match sections.symbols.get(symbol) {
                // Its index is that of a type.
                _ if relocation.ty == RelocationType::TypeIndexLeb => continue,
                Some(SymbolInfo::Func { index, .. }) => *index as Node,
                Some(SymbolInfo::Data { .. }) => functions + symbol,
                _ => continue,
            };
            if let Some(start) = sections.starts.get(section) {
                linked
                    .named
                    .push((start + relocation.offset as usize, node));
            }
        }
        linked.named.sort_unstable();
        Ok(linked)
    }

    fn blanked(&self, module: &[u8]) -> Vec<u8> {
        let is_reached = self.reached();
        let mut blanked = module.to_vec();
        // Data may lie in other data: what is reached comes back.
        for (node, place) in self.data() {
            if !is_reached[node] {
                blanked[place].fill(0);
            }
        }
        for (node, place) in self.data() {
            if is_reached[node] {
                blanked[place.clone()].copy_from_slice(&module[place]);
            }
        }
        blanked
    }

    fn bodies(&self) -> impl Iterator<Item = (Node, Range<usize>)> {
        let places = self.places.iter().cloned();
        places.enumerate().take(self.functions)
    }

    fn data(&self) -> impl Iterator<Item = (Node, Range<usize>)> {
        let places = self.places.iter().cloned();
        places.enumerate().skip(self.functions)
    }

    /// Which of the nodes are reached from outside, or named by one that is.
    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.places.len()];
        let mut open = self.roots.clone();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_reached[node], true) {
                let place = &self.places[node];
                let first = self.named.partition_point(|(at, _)| *at < place.start);
                let from_first = self.named[first..].iter();
                let here = from_first.take_while(|(at, _)| *at < place.end);
                open.extend(here.map(|(_, node)| node));
            }
        }
        is_reached
    }
}

const NOWHERE: Range<usize> = 0..0;

/// What is looked at of a module's sections, as it stands there.
#[derive(Default)]
struct Sections<'a> {
    /// Where the content of each begins.
    starts: Vec<usize>,
    functions: Vec<Range<usize>>,
    segments: Vec<Range<usize>>,
    roots: Vec<Node>,
    /// The calls in the code: of functions that the linker writes itself it says nothing.
    calls: Vec<(usize, Node)>,
    symbols: Vec<SymbolInfo<'a>>,
    /// With the numbers of their sections.
    relocations: Vec<(usize, RelocationEntry)>,
}

impl<'a> Sections<'a> {
    fn read(module: &'a [u8]) -> Result<Self, BinaryReaderError> {
        let mut sections = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            if let Some((_, content)) = payload.as_section() {
                sections.starts.push(place(content).start);
            }
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_));
                        sections.functions.extend(is_function.then_some(NOWHERE));
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export?;
                        let is_function = export.kind == ExternalKind::Func;
                        let function = export.index as Node;
                        sections.roots.extend(is_function.then_some(function));
                    }
                }
                Payload::StartSection { func, .. } => sections.roots.push(func as Node),
                Payload::CodeSectionEntry(body) => sections.function(&body)?,
                Payload::DataSection(data) => {
                    for segment in data {
                        let segment = segment?;
                        let end = place(segment.range).end;
                        sections.segments.push(end - segment.data.len()..end);
                    }
                }
                Payload::CustomSection(custom) => sections.custom(&custom.as_known())?,
                _ => {}
            }
        }
        Ok(sections)
    }

    fn function(&mut self, body: &FunctionBody<'a>) -> Result<(), BinaryReaderError> {
        self.functions.push(place(body.range()));
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            if let (Operator::Call { function_index }, at) = operators.read_with_offset()? {
                let at = place(at..at).start;
                self.calls.push((at, function_index as Node));
            }
        }
        Ok(())
    }

    fn custom(&mut self, section: &KnownCustom<'a>) -> Result<(), BinaryReaderError> {
        match section {
            KnownCustom::Linking(linking) => {
                for part in linking.subsections() {
                    if let Linking::SymbolTable(table) = part? {
                        self.symbols = table.into_iter().collect::<Result<_, _>>()?;
                    }
                }
            }
            KnownCustom::Reloc(of_section) => {
                let section = of_section.section_index() as usize;
                for entry in of_section.entries() {
                    self.relocations.push((section, entry?));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The module is in memory: its places are of the machine's size.
fn place(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{counted, number};

    /// Where the data begin in their section, in a module of a single segment.
    const DATA: usize = 7;

    /// Five pieces of data, each of two letters. `entry` names the first, calls `stays` and takes the address of
    /// `goes`. `stays` names the second, which names the third; `goes` names the third and the fourth.
    fn module() -> Vec<u8> {
        let section = |id: u8, content: &[u8]| [&[id][..], &counted(content)].concat();
        let list = |items: &[Vec<u8>]| [number(items.len()), items.concat()].concat();

        // A constant that the linker fills, dropped; a call of the function 1.
        let (constant, call) = (
            [0x41, 0x80, 0x80, 0x80, 0x80, 0, 0x1a],
            [0x10, 0x81, 0x80, 0x80, 0x80, 0],
        );
        let body = |code: &[&[u8]]| counted(&[&[0][..], &code.concat(), &[0x0b]].concat());
        let bodies = [
            body(&[&constant, &call, &constant]),
            body(&[&constant]),
            body(&[&constant, &constant]),
        ];
        let segment = [&[0, 0x41, 0x80, 8, 0x0b][..], &counted(b"aabbccddee")].concat();

        let function =
            |index: u8, name: &str| [vec![0, 0, index], counted(name.as_bytes())].concat();
        let data =
            |at: u8, name: &str| [vec![1, 0], counted(name.as_bytes()), vec![0, at, 2]].concat();
        let symbols = list(&[
            function(0, "entry"),
            function(1, "stays"),
            function(2, "goes"),
            data(0, "a"),
            data(2, "b"),
            data(4, "c"),
            data(6, "d"),
            data(8, "e"),
        ]);
        let linking = [counted(b"linking"), vec![2, 8], counted(&symbols)].concat();

        // Each of these names the symbol behind its place: an address in code or in data, or a number in the table.
        let address = |at: usize, symbol: u8| vec![4, at as u8, symbol, 0];
        let in_data = |at: usize, symbol: u8| vec![5, at as u8, symbol, 0];
        let in_table = |at: usize, symbol: u8| vec![1, at as u8, symbol];
        let constants = |body: usize| 1 + bodies[..body].concat().len() + 3;
        let of_code = [
            address(constants(0), 3),
            in_table(constants(0) + constant.len() + call.len(), 2),
            address(constants(1), 4),
            address(constants(2), 5),
            address(constants(2) + constant.len(), 6),
        ];
        let of_data = [in_data(DATA + 2, 5)];
        let relocations = |name: &str, section: u8, entries: &[Vec<u8>]| {
            [counted(name.as_bytes()), vec![section], list(entries)].concat()
        };
        [
            b"\0asm\x01\0\0\0".to_vec(),
            section(1, &[1, 0x60, 0, 0]),
            section(3, &[3, 0, 0, 0]),
            section(5, &[1, 0, 1]),
            section(7, &list(&[[counted(b"entry"), vec![0, 0]].concat()])),
            section(10, &list(&bodies)),
            section(11, &list(&[segment])),
            section(0, &linking),
            section(0, &relocations("reloc.CODE", 4, &of_code)),
            section(0, &relocations("reloc.DATA", 5, &of_data)),
        ]
        .concat()
    }

    #[test]
    fn functions_that_only_emptied_ones_name_trap() {
        let module = module();
        // Its code is the longest but one, and all of it the same.
        let constant = [0x41, 0x80, 0x80, 0x80, 0x80, 0, 0x1a];
        let goes = [&[0][..], &constant, &constant, &[END]].concat();
        let has = |module: &[u8], body: &[u8]| module.windows(body.len()).any(|part| part == body);
        let mut trap = vec![UNREACHABLE; goes.len()];
        trap[goes.len() - 1] = END;

        let blanked = trap_unreached(&module, |_| false).expect("it is a module");
        assert!(has(&blanked, &goes) && !has(&blanked, &trap));
        let blanked = trap_unreached(&module, |name| name == "entry").expect("it is a module");
        assert!(!has(&blanked, &goes) && has(&blanked, &trap));
    }

    #[test]
    fn a_module_without_relocations_stays_as_it_is() {
        let mut module = module();
        let linking = module.windows(7).position(|part| part == b"linking");
        // Behind the section's number, its length and that of its name.
        module.truncate(linking.expect("it is there") - 3);
        for emptied in ["nothing", "entry"] {
            let blanked = trap_unreached(&module, |name| name == emptied).expect("it is a module");
            assert_eq!(blanked, module);
        }
    }

    #[test]
    fn data_that_only_emptied_functions_name_are_blank() {
        let module = module();
        for (emptied, left) in [
            ("nothing", &b"aabbccdd\0\0"[..]),
            ("goes", b"aabbcc\0\0\0\0"),
            ("stays", b"aa\0\0ccdd\0\0"),
            ("entry", b"\0\0\0\0\0\0\0\0\0\0"),
        ] {
            let blanked = blank_unread(&module, |name| name == emptied).expect("it is a module");
            let first = module.windows(4).position(|part| part == b"aabb");
            let data = &blanked[first.expect("they are there")..][..left.len()];
            assert_eq!(data, left, "{emptied}: {}", data.escape_ascii());
            assert_eq!(blanked.len(), module.len());
        }
        assert!(blank_unread(b"no module", |_| false).is_err());
    }
}

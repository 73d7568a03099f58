//! What of a module nobody reads or calls once some of its functions are emptied. It is found by what the linker
//! says of its work: who names which function and which data, from what the module exports.

use std::collections::HashSet;
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, ExternalKind, FunctionBody, KnownCustom, Linking, Operator, Parser, Payload,
    RelocationEntry, RelocationType, SymbolFlags, SymbolInfo, TypeRef,
};

use crate::order::{counted, number};

/// The module with zeros where there are data that nobody names but functions whose names are such, and with traps for
/// those functions and for the ones that only they or such data name: their numbers in the table would keep them. Of
/// what stood in the traps the linker says nothing any more. A module that was linked without its relocations stays as
/// it is.
pub(crate) fn trap_unreached(
    module: &[u8],
    is_emptied: impl Fn(&str) -> bool,
) -> Result<Vec<u8>, BinaryReaderError> {
    let linked = Linked::read(module, is_emptied)?;
    if !linked.is_told {
        return Ok(module.to_vec());
    }
    let is_reached = linked.reached();
    let mut trapping = linked.blanked(module, &is_reached);
    let mut gone = linked.unread.clone();
    for (node, place) in linked.bodies() {
        if (linked.is_emptied[node] || !is_reached[node])
            && let [no_locals, traps @ .., end] = &mut trapping[place.clone()]
            && !traps.is_empty()
        {
            *no_locals = 0;
            traps.fill(UNREACHABLE);
            *end = END;
            gone.extend(place);
        }
    }
    without_relocations(&trapping, &gone)
}

/// The module without what its linker says of these places.
fn without_relocations(module: &[u8], gone: &HashSet<usize>) -> Result<Vec<u8>, BinaryReaderError> {
    let mut starts = Vec::new();
    let mut kept = module[..MAGIC].to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let Some((id, content)) = payload.as_section() else {
            continue;
        };
        let content = place(content);
        starts.push(content.start);
        let mut written = module[content.clone()].to_vec();
        if let Payload::CustomSection(custom) = &payload
            && let KnownCustom::Reloc(of_section) = custom.as_known()
        {
            let section = of_section.section_index();
            let start = starts.get(section as usize).copied().unwrap_or_default();
            // Each entry goes up to where the next one begins, the last to the section's end.
            let entries = of_section.entries().into_iter_with_offsets();
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            let begins = entries.iter().map(|(at, _)| place(*at..*at).start);
            let ends = begins.clone().skip(1).chain([content.end]);
            let kept: Vec<&[u8]> = entries
                .iter()
                .zip(begins.zip(ends))
                .filter(|((_, entry), _)| !gone.contains(&(start + entry.offset as usize)))
                .map(|(_, (begin, end))| &module[begin..end])
                .collect();
            written = counted(custom.name().as_bytes());
            written.extend(number(section as usize));
            written.extend(number(kept.len()));
            written.extend(kept.concat());
        }
        kept.push(id);
        kept.extend(counted(&written));
    }
    Ok(kept)
}

/// How long the magic number and the version before the first section are.
const MAGIC: usize = 8;

const UNREACHABLE: u8 = 0x00;
const END: u8 = 0x0b;

/// A function or a piece of data, by where it stands in [`Linked::places`]: the functions first, by their numbers.
type Node = usize;

/// What the linker says of a module. Places are of the module's bytes.
struct Linked {
    /// Whether the linker says anything.
    is_told: bool,
    functions: usize,
    /// Where each node has its bytes. Functions that are imported, and data that are zeros, have none.
    places: Vec<Range<usize>>,
    /// Which of the nodes name nobody any more.
    is_emptied: Vec<bool>,
    /// What is reached from outside.
    roots: Vec<Node>,
    /// Where something is named, and what, by place.
    named: Vec<(usize, Node)>,
    /// Where the code names what it tells emptied functions from which it does not come back: nobody reads it.
    unread: HashSet<usize>,
}

impl Linked {
    fn read(module: &[u8], is_emptied: impl Fn(&str) -> bool) -> Result<Self, BinaryReaderError> {
        let sections = Sections::read(module)?;
        let functions = sections.functions.len();
        let mut linked = Self {
            is_told: !sections.relocations.is_empty(),
            functions,
            places: sections.functions,
            is_emptied: vec![false; functions + sections.symbols.len()],
            roots: sections.roots,
            named: sections.calls,
            unread: HashSet::new(),
        };
        // Each symbol has a node, so that relocations find theirs by their numbers.
        for (nth, symbol) in sections.symbols.iter().enumerate() {
            let mut place = NOWHERE;
            let (flags, node) = match *symbol {
                SymbolInfo::Func { flags, index, name } => {
                    if name.is_some_and(&is_emptied) {
                        linked.is_emptied[index as Node] = true;
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
        let last_words = sections.last_words.into_iter();
        let unread = last_words.filter(|(_, called)| linked.is_emptied[*called]);
        linked.unread = unread.map(|(at, _)| at).collect();
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
        linked.named.retain(|(at, _)| !linked.unread.contains(at));
        linked.named.sort_unstable();
        Ok(linked)
    }

    fn blanked(&self, module: &[u8], is_reached: &[bool]) -> Vec<u8> {
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
            if !std::mem::replace(&mut is_reached[node], true) && !self.is_emptied[node] {
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
    /// Where the constants right before a call that does not come back have their values, and who is called.
    last_words: Vec<(usize, Node)>,
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
        let mut constants = Vec::new();
        let mut called: Option<(Node, Vec<usize>)> = None;
        while !operators.eof() {
            let (operator, at) = operators.read_with_offset()?;
            let at = place(at..at).start;
            if let (Operator::Unreachable, Some((called, told))) = (&operator, called.take()) {
                self.last_words
                    .extend(told.into_iter().map(|at| (at, called)));
            }
            match operator {
                // Behind the operator itself.
                Operator::I32Const { .. } => constants.push(at + 1),
                Operator::Call { function_index } => {
                    let function = function_index as Node;
                    self.calls.push((at, function));
                    called = Some((function, std::mem::take(&mut constants)));
                }
                _ => constants.clear(),
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

    /// Where the data begin in their section, in a module of a single segment.
    const DATA: usize = 7;

    /// A constant that the linker fills, and the same, dropped.
    const NAME: [u8; 6] = [0x41, 0x80, 0x80, 0x80, 0x80, 0];
    const CONSTANT: [u8; 7] = [0x41, 0x80, 0x80, 0x80, 0x80, 0, 0x1a];
    /// A call of the function 1.
    const CALL: [u8; 6] = [0x10, 0x81, 0x80, 0x80, 0x80, 0];

    /// A call of the function 1 with such a constant, which does not come back.
    fn last_words() -> Vec<u8> {
        [&NAME[..], &CALL, &[UNREACHABLE]].concat()
    }

    /// Five pieces of data, each of two letters. `entry` names the first, calls `stays` and takes the address of
    /// `goes`. `stays` names the second, which names the third; `goes` names the third, and calls `stays` with the fourth,
    /// which comes back, and with the fifth, which does not.
    fn module() -> Vec<u8> {
        let section = |id: u8, content: &[u8]| [&[id][..], &counted(content)].concat();
        let list = |items: &[Vec<u8>]| [number(items.len()), items.concat()].concat();

        let body = |code: &[&[u8]]| counted(&[&[0][..], &code.concat(), &[0x0b]].concat());
        let bodies = [
            body(&[&CONSTANT, &CALL, &CONSTANT]),
            body(&[&CONSTANT]),
            body(&[&CONSTANT, &NAME, &CALL, &last_words()]),
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
            in_table(constants(0) + CONSTANT.len() + CALL.len(), 2),
            address(constants(1), 4),
            address(constants(2), 5),
            address(constants(2) + CONSTANT.len(), 6),
            address(
                constants(2) + [&CONSTANT[..], &NAME, &CALL].concat().len(),
                7,
            ),
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
        let goes = [&[0][..], &CONSTANT, &NAME, &CALL, &last_words(), &[END]].concat();
        let has = |module: &[u8], body: &[u8]| module.windows(body.len()).any(|part| part == body);
        let mut trap = vec![UNREACHABLE; goes.len()];
        trap[goes.len() - 1] = END;

        let blanked = trap_unreached(&module, |_| false).expect("it is a module");
        assert!(has(&blanked, &goes) && !has(&blanked, &trap));
        let blanked = trap_unreached(&module, |name| name == "entry").expect("it is a module");
        assert!(!has(&blanked, &goes) && has(&blanked, &trap));
    }

    #[test]
    fn of_what_stood_in_traps_the_linker_says_nothing() {
        let module = module();
        for (emptied, left) in [("nothing", 7), ("stays", 5), ("goes", 4), ("entry", 1)] {
            let trapping = trap_unreached(&module, |name| name == emptied);
            let trapping = trapping.expect("it is a module");
            let sections = Sections::read(&trapping).expect("it is still one");
            assert_eq!(sections.relocations.len(), left, "{emptied}");
            for (section, entry) in sections.relocations {
                let at = sections.starts[section] + entry.offset as usize;
                let is_there = |place: &Range<usize>| trapping[place.clone()][1] != UNREACHABLE;
                let functions = &sections.functions;
                let own = functions.iter().find(|place| place.contains(&at));
                assert!(own.is_none_or(is_there), "{emptied}: {entry:?}");
            }
        }
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
            ("nothing", &b"aabbccddee"[..]),
            ("goes", b"aabbcc\0\0\0\0"),
            ("stays", b"aa\0\0ccdd\0\0"),
            ("entry", b"\0\0\0\0\0\0\0\0\0\0"),
        ] {
            let blanked = trap_unreached(&module, |name| name == emptied).expect("it is a module");
            let first = module.windows(4).position(|part| part == b"aabb");
            let data = &blanked[first.expect("they are there")..][..left.len()];
            assert_eq!(data, left, "{emptied}: {}", data.escape_ascii());
        }
        assert!(trap_unreached(b"no module", |_| false).is_err());
    }
}

//! Markdown as HTML for the documentation: headings that can be linked to, links that lead somewhere, and of raw
//! HTML the demos alone.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// What else a repository's host shows of a page is for it to decide; here only these pass.
const RAW: [&str; 3] = ["<claimgauge-demo", "</claimgauge-demo>", "<!--"];

/// A heading and the name under which links find it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heading {
    pub(crate) level: HeadingLevel,
    pub(crate) id: String,
    pub(crate) text: String,
}

/// What a link or an image names.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Image,
    Link,
    /// What the text that a link leads to calls itself.
    Title,
}

/// The headings of a text, in order.
pub(crate) fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut taken = BTreeMap::new();
    let mut inside = None;
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => inside = Some((level, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, text)) = inside.take() {
                    let id = unique(slug(&text), &mut taken);
                    headings.push(Heading { level, id, text });
                }
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some((_, text)) = &mut inside {
                    text.push_str(&part);
                }
            }
            _ => {}
        }
    }
    headings
}

/// What the links in a text's numbered lists name, in order.
pub(crate) fn numbered(text: &str) -> Vec<String> {
    let (mut depth, mut links) = (0, Vec::new());
    for event in parser(text) {
        match event {
            Event::Start(Tag::List(Some(_))) => depth += 1,
            Event::End(TagEnd::List(true)) => depth -= 1,
            Event::Start(Tag::Link { dest_url, .. }) if depth > 0 => {
                links.push(dest_url.to_string());
            }
            _ => {}
        }
    }
    links
}

/// Whether a text holds a demo.
pub(crate) fn has_demo(text: &str) -> bool {
    parser(text).any(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => raw.trim_start().starts_with(RAW[0]),
        _ => false,
    })
}

/// A text as HTML. `lead_to` gives each place that is named the one that it has among the pages; what it, or this,
/// finds wrong comes back as a list. A link that shows the file that it leads to, as a repository's reader has it, shows
/// its title.
pub(crate) fn render(
    text: &str,
    lead_to: &mut dyn FnMut(Kind, &str) -> Result<String, String>,
) -> Result<String, Vec<String>> {
    let mut faults = Vec::new();
    let mut ids = headings(text).into_iter().map(|heading| heading.id);
    let mut place = |kind, named: CowStr<'_>| match lead_to(kind, &named) {
        Ok(place) => place.into(),
        Err(fault) => {
            faults.push(fault);
            CowStr::from(String::new())
        }
    };
    let mut raw = Vec::new();
    let mut events = Vec::new();
    let mut link = CowStr::from("");
    for event in parser(text) {
        match event {
            Event::Text(shown)
                if shown.ends_with(".md") && link.split('#').next() == Some(&shown) =>
            {
                events.push(Event::Text(place(Kind::Title, shown)));
            }
            Event::End(TagEnd::Link) => {
                link = CowStr::from("");
                events.push(event);
            }
            Event::Start(Tag::Heading {
                level,
                classes,
                attrs,
                ..
            }) => events.push(Event::Start(Tag::Heading {
                level,
                id: ids.next().map(CowStr::from),
                classes,
                attrs,
            })),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                link = dest_url.clone();
                events.push(Event::Start(Tag::Link {
                    link_type,
                    dest_url: place(Kind::Link, dest_url),
                    title,
                    id,
                }));
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => events.push(Event::Start(Tag::Image {
                link_type,
                dest_url: place(Kind::Image, dest_url),
                title,
                id,
            })),
            // What is wider than the page scrolls by itself, by keyboard too.
            Event::Start(Tag::Table(alignments)) => {
                events.push(Event::Html(
                    "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">"
                        .into(),
                ));
                events.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>".into()));
            }
            Event::Start(Tag::CodeBlock(_)) => {
                events.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => events.push(Event::Html("</code></pre>\n".into())),
            Event::Html(ref part) | Event::InlineHtml(ref part) => {
                let known = RAW.iter().any(|start| part.trim_start().starts_with(start));
                if !known {
                    raw.push(format!("raw HTML: {}", part.trim()));
                }
                events.push(event);
            }
            event => events.push(event),
        }
    }
    faults.append(&mut raw);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    Ok(cells(page))
}

/// Tables' cells without inline styles, which the pages' policy forbids; and no title that is empty.
fn cells(mut page: String) -> String {
    for side in ["left", "center", "right"] {
        for tag in ["th", "td"] {
            let styled = format!("<{tag} style=\"text-align: {side}\">");
            page = page.replace(&styled, &format!("<{tag} class=\"{side}\">"));
        }
        page = page.replace(&format!("<th class=\"{side}\"></th>"), "<td></td>");
    }
    page.replace("<th></th>", "<td></td>")
}

/// Text for a place in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// As hosts of repositories name headings, so that a link holds there and here.
fn slug(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// The second of a name is `name-1`.
fn unique(slug: String, taken: &mut BTreeMap<String, usize>) -> String {
    let times = taken.entry(slug.clone()).or_default();
    *times += 1;
    match *times {
        1 => slug,
        n => format!("{slug}-{}", n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> Result<String, Vec<String>> {
        render(text, &mut |kind, named| match named {
            "bad.md" => Err("bad.md is not there".to_owned()),
            named if kind == Kind::Title => Ok(format!("title of {named}")),
            named => Ok(format!("to-{named}")),
        })
    }

    #[test]
    fn headings_have_the_names_that_hosts_give_them() {
        let text = "# `checkOutput`: what, and why?\n\n## Über uns\n\n## Über uns\n\ntext # none\n";
        let ids: Vec<_> = headings(text).into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["checkoutput-what-and-why", "über-uns", "über-uns-1"]);
        let page = rendered(text).unwrap();
        assert!(page.contains("<h2 id=\"über-uns-1\">"), "{page}");
    }

    #[test]
    fn links_and_images_lead_where_they_are_led() {
        let page = rendered("[a](x.md#y) ![b](z.png)").unwrap();
        assert!(page.contains("href=\"to-x.md#y\""), "{page}");
        assert!(page.contains("src=\"to-z.png\""), "{page}");
        assert_eq!(
            rendered("[a](bad.md)"),
            Err(vec!["bad.md is not there".to_owned()])
        );
    }

    #[test]
    fn a_link_that_shows_its_file_shows_its_title() {
        let page = rendered("[x/y-z.md](x/y-z.md#part) [x.md](y.md) y.md").unwrap();
        assert!(
            page.contains("<a href=\"to-x/y-z.md#part\">title of x/y-z.md</a>"),
            "{page}"
        );
        assert!(page.contains("<a href=\"to-y.md\">x.md</a> y.md"), "{page}");
    }

    #[test]
    fn the_links_of_numbered_lists_are_told_from_others() {
        let text = "[a](a.md)\n\n1. [b](b.md): x\n2. [c](c.md)\n\n- [d](d.md)\n";
        assert_eq!(numbered(text), ["b.md", "c.md"]);
    }

    #[test]
    fn of_raw_html_demos_alone_pass() {
        let demo = "<claimgauge-demo example=\"worked\">\n\n> **VERIFIED**\n\n</claimgauge-demo>\n";
        assert!(has_demo(demo));
        let page = rendered(demo).unwrap();
        assert!(
            page.contains("<claimgauge-demo example=\"worked\">"),
            "{page}"
        );
        assert!(page.contains("<strong>VERIFIED</strong>"), "{page}");
        assert!(!has_demo("`<claimgauge-demo>`"));
        for text in [
            "<img src=\"https://example.com/x.png\">",
            "a <script>b</script> c",
        ] {
            assert!(rendered(text).is_err(), "{text}");
        }
    }

    #[test]
    fn cells_have_no_styles_of_their_own_and_titles_are_not_empty() {
        let page = rendered("| | a | `x` |\n| --- | ---: | :---: |\n| b | 1 | c |\n").unwrap();
        assert!(
            page.contains("<td></td><th class=\"right\">a</th>"),
            "{page}"
        );
        assert!(
            page.contains("<td class=\"right\">1</td><td class=\"center\">c</td>"),
            "{page}"
        );
        assert!(!page.contains("style="), "{page}");
    }

    #[test]
    fn code_is_text() {
        let page = rendered("```html\n<script>&\n```\n").unwrap();
        assert_eq!(
            page,
            "<pre tabindex=\"0\"><code>&lt;script&gt;&amp;\n</code></pre>\n"
        );
    }
}

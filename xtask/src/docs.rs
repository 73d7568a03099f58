//! The documentation as a site in target/docs: the repository's Markdown as pages, with the demos of the npm package
//! in them.
//!
//! ```text
//! index.html, NAME.html   README.md, docs/NAME.md and the other texts at the root
//! embed.html, embed.js    one demo for a frame in another page
//! claimgauge/             what the demos load of the npm package
//! ```
//!
//! Nothing is loaded from elsewhere, and a link that leads nowhere fails the build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::HeadingLevel;

use crate::markdown::{self, Heading, Kind, escaped};
use crate::step::{Failure, Outcome, at, root, step, target};
use crate::{pack, web};

/// What is read first. The numbered list of the second is the order of the texts in docs; those that it does not
/// name come behind, by name, before [`LAST`].
const FIRST: [&str; 2] = ["README.md", CONTENTS];
const CONTENTS: &str = "docs/start.md";
const LAST: [&str; 4] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
];

/// Defines the element on the pages that have a demo.
const SCRIPT: &str =
    "<script type=\"module\" src=\"./claimgauge/dist/web/demo/index.js\"></script>";

/// Builds the package and the site, and returns the site's folder.
pub(crate) fn build() -> Outcome<PathBuf> {
    let package = pack::build()?;
    step("Write the documentation to target/docs", || site(&package))
}

fn site(package: &Path) -> Outcome<PathBuf> {
    let (site, new) = (target().join("docs"), target().join("docs.new"));
    web::remove(&new)?;
    fs::create_dir_all(&new).map_err(at(&new))?;
    let pages = pages()?;
    let template = read(&root().join("docs/site/page.html"))?;
    for page in &pages {
        let file = new.join(&page.file);
        fs::write(&file, page.render(&pages, &template, &new)?).map_err(at(&file))?;
    }
    for name in ["docs.css", "embed.html", "embed.js"] {
        copy(&root().join("docs/site").join(name), &new.join(name))?;
    }
    copy(&root().join("web/assets/icon.svg"), &new.join("icon.svg"))?;
    for part in ["web", "wasm", "demo"] {
        let part = Path::new("dist").join(part);
        copy_scripts(&package.join(&part), &new.join("claimgauge").join(&part))?;
    }
    web::remove(&site)?;
    fs::rename(&new, &site).map_err(at(&new))?;
    println!("    {} pages", pages.len());
    Ok(site)
}

/// A text of the repository and the page that it becomes.
struct Page {
    /// From the repository's root.
    source: String,
    file: String,
    text: String,
    headings: Vec<Heading>,
}

/// All pages, in the order in which they are listed.
fn pages() -> Outcome<Vec<Page>> {
    let folder = root().join("docs");
    let contents = read(&root().join(CONTENTS))?;
    let mut sources = FIRST.map(str::to_owned).to_vec();
    for named in markdown::numbered(&contents) {
        sources.extend(resolved(CONTENTS, &named).filter(|source| !sources.contains(source)));
    }
    let mut others = Vec::new();
    for entry in fs::read_dir(&folder).map_err(at(&folder))? {
        let name = entry.map_err(at(&folder))?.file_name();
        let source = format!("docs/{}", name.to_string_lossy());
        if source.ends_with(".md") && !sources.contains(&source) {
            others.push(source);
        }
    }
    others.sort();
    let last = LAST.map(str::to_owned);
    let sources = sources.into_iter().chain(others).chain(last);
    sources.map(Page::read).collect()
}

impl Page {
    fn read(source: String) -> Outcome<Self> {
        let text = read(&root().join(&source))?;
        let headings = markdown::headings(&text);
        if headings.is_empty() {
            return Err(Failure::new(
                format!("{source} has no heading"),
                "begin it with one: it is the page's title",
            ));
        }
        let file = match source.as_str() {
            "README.md" => "index.html".to_owned(),
            source => {
                let name = Path::new(source).file_stem().unwrap_or_default();
                format!("{}.html", name.to_string_lossy().to_lowercase())
            }
        };
        Ok(Self {
            source,
            file,
            text,
            headings,
        })
    }

    fn title(&self) -> &str {
        &self.headings[0].text
    }

    /// The page. Pictures that it shows are copied into `site`.
    fn render(&self, pages: &[Self], template: &str, site: &Path) -> Outcome<String> {
        let mut pictures = BTreeMap::new();
        let mut lead_to = |kind, named: &str| self.place(pages, kind, named, &mut pictures);
        let body = markdown::render(&self.text, &mut lead_to).map_err(|faults| {
            Failure::new(
                format!("{}: {}", self.source, faults.join("; ")),
                "a link must lead to a page, a heading in one, or to https://…; a picture to a file of the \
                 repository; of raw HTML only <claimgauge-demo> may stand in it",
            )
        })?;
        for (name, file) in pictures {
            copy(&file, &site.join(name))?;
        }
        let script = match markdown::has_demo(&self.text) {
            true => SCRIPT,
            false => "",
        };
        let title = match self.title() {
            title @ "Claimgauge" => title.to_owned(),
            title => format!("{title} – Claimgauge"),
        };
        let page = template
            .replace("{title}", &escaped(&title))
            .replace("{script}", script)
            .replace("{turn}", &self.turn(pages))
            .replace("{pages}", &self.list(pages));
        // Last: what a page says of braces is its own.
        Ok(page.replace("{main}", &body))
    }

    /// All pages by their titles; under this one, its parts.
    fn list(&self, pages: &[Self]) -> String {
        let item = |page: &Self| {
            let title = escaped(page.title());
            if page.file != self.file {
                return format!("<li><a href=\"./{}\">{title}</a></li>\n", page.file);
            }
            let parts = self
                .headings
                .iter()
                .filter(|one| one.level == HeadingLevel::H2);
            let parts: String = parts
                .map(|part| {
                    format!(
                        "<li><a href=\"#{}\">{}</a></li>\n",
                        part.id,
                        escaped(&part.text)
                    )
                })
                .collect();
            let parts = match parts.as_str() {
                "" => parts,
                parts => format!("\n<ul>\n{parts}</ul>\n"),
            };
            format!(
                "<li><a href=\"./{}\" aria-current=\"page\">{title}</a>{parts}</li>\n",
                page.file
            )
        };
        pages.iter().map(item).collect()
    }

    /// The pages before and behind this one.
    fn turn(&self, pages: &[Self]) -> String {
        let at = pages.iter().position(|page| page.file == self.file);
        let link = |at: Option<usize>, rel: &str, arrow: &str| {
            let page = at.and_then(|at| pages.get(at));
            page.map_or(String::new(), |page| {
                let (file, title) = (&page.file, escaped(page.title()));
                format!("<a href=\"./{file}\" rel=\"{rel}\"><span>{arrow}</span>{title}</a>\n")
            })
        };
        let before = link(at.and_then(|at| at.checked_sub(1)), "prev", "Before");
        before + &link(at.map(|at| at + 1), "next", "Next")
    }

    /// Where what this page names is in the site.
    fn place(
        &self,
        pages: &[Self],
        kind: Kind,
        named: &str,
        pictures: &mut BTreeMap<String, PathBuf>,
    ) -> Result<String, String> {
        if kind == Kind::Link && (named.starts_with("https://") || named.starts_with("mailto:")) {
            return Ok(named.to_owned());
        }
        let (path, anchor) = match named.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (named, None),
        };
        let source = match path {
            "" => self.source.clone(),
            path => resolved(&self.source, path)
                .ok_or_else(|| format!("{named} leads out of the repository"))?,
        };
        if kind == Kind::Image {
            let file = root().join(&source);
            let name = Path::new(&source)
                .file_name()
                .unwrap_or_default()
                .to_string_lossy();
            if !file.is_file() {
                return Err(format!("there is no picture {named}"));
            }
            pictures.insert(name.to_string(), file);
            return Ok(format!("./{name}"));
        }
        let page = pages
            .iter()
            .find(|page| page.source == source)
            .ok_or_else(|| format!("{named} is no page"))?;
        match anchor {
            _ if kind == Kind::Title => Ok(page.title().to_owned()),
            None => Ok(format!("./{}", page.file)),
            Some(anchor) if page.headings.iter().any(|one| one.id == anchor) => {
                Ok(format!("./{}#{anchor}", page.file))
            }
            Some(anchor) => Err(format!("{source} has no heading #{anchor}")),
        }
    }
}

/// A path that the text `from` names, from the repository's root.
fn resolved(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Copies a folder's scripts and modules.
fn copy_scripts(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            copy_scripts(&path, &to.join(&*name))?;
        } else if name.ends_with(".wasm") || name.ends_with(".js") {
            copy(&path, &to.join(&*name))?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(at(path))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(at(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(source: &str, text: &str) -> Page {
        Page {
            source: source.to_owned(),
            file: source.replace(".md", ".html").replace("docs/", ""),
            text: text.to_owned(),
            headings: markdown::headings(text),
        }
    }

    #[test]
    fn links_between_pages_hold_or_are_named() {
        let pages = [
            page("README.md", "# A\n\n## Part"),
            page("docs/b.md", "# B"),
        ];
        let mut pictures = BTreeMap::new();
        let mut place =
            |from: usize, kind, named| pages[from].place(&pages, kind, named, &mut pictures);
        let link = Kind::Link;
        assert_eq!(place(0, link, "docs/b.md").as_deref(), Ok("./b.html"));
        assert_eq!(
            place(1, link, "../README.md#part").as_deref(),
            Ok("./README.html#part")
        );
        assert_eq!(place(0, link, "#part").as_deref(), Ok("./README.html#part"));
        assert_eq!(place(0, Kind::Title, "docs/b.md").as_deref(), Ok("B"));
        assert_eq!(
            place(0, link, "https://example.com/x").as_deref(),
            Ok("https://example.com/x")
        );
        assert_eq!(
            place(0, Kind::Image, "docs/playground.png").as_deref(),
            Ok("./playground.png")
        );
        for (from, kind, named) in [
            (0, link, "docs/c.md"),
            (0, link, "b.md"),
            (1, link, "../README.md#parts"),
            (0, link, "../README.md"),
            (0, link, "http://example.com/"),
            (0, link, "javascript:alert(1)"),
            (0, Kind::Image, "https://example.com/x.png"),
            (0, Kind::Image, "docs/none.png"),
        ] {
            assert!(place(from, kind, named).is_err(), "{named}");
        }
        assert_eq!(pictures.into_keys().collect::<Vec<_>>(), ["playground.png"]);
    }

    #[test]
    fn the_documentation_itself_can_be_rendered() {
        let pages = pages().unwrap_or_else(|failure| panic!("{failure}"));
        let site = std::env::temp_dir().join(format!("claimgauge-docs-{}", std::process::id()));
        fs::create_dir_all(&site).unwrap();
        for page in &pages {
            let html = page.render(&pages, "{title} {script} {pages} {main} {turn}", &site);
            let html = html.unwrap_or_else(|failure| panic!("{failure}"));
            assert!(html.contains("aria-current=\"page\""), "{}", page.source);
        }
        let (first, last) = (&pages[0], &pages[pages.len() - 1]);
        assert!(!first.turn(&pages).contains("prev") && first.turn(&pages).contains("start.html"));
        assert!(last.turn(&pages).contains("prev") && !last.turn(&pages).contains("next"));
        let order: Vec<&str> = pages.iter().map(|page| page.source.as_str()).collect();
        assert_eq!(order[..3], ["README.md", "docs/start.md", "docs/method.md"]);
        fs::remove_dir_all(&site).unwrap();
    }
}

//! The scrub as HTML, written in the program that makes it: the page only puts it where it belongs.

use crate::{
    icon,
    markup::Markup,
    scrubbing::{Claimed, Hidden, Leaking, Piece, Stretch},
};

/// How the scrub is shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Show {
    /// As the judge gets it.
    #[default]
    Scrubbed,
    /// What was there, and the placeholder beside it.
    Merged,
    SideBySide,
}

impl Show {
    pub(crate) const ALL: [Self; 3] = [Self::Scrubbed, Self::Merged, Self::SideBySide];
}

/// A part of a span's text, for each of [`Show::ALL`] in their order.
pub(crate) type Drawn = [String; 3];

pub(crate) fn piece(piece: &Piece) -> Drawn {
    Show::ALL.map(|show| shown(piece, show))
}

fn shown(piece: &Piece, show: Show) -> String {
    let mut to = Markup::default();
    let inline = if show == Show::SideBySide {
        Show::Scrubbed
    } else {
        show
    };
    if let Some((id, source)) = &piece.head {
        to.html(r#"<p class="scrubbed-head"><span class="id mono">"#);
        to.text(id);
        to.html(r#"</span><span class="source">"#);
        marks(&mut to, source, inline);
        to.html("</span></p>");
    }
    if show == Show::SideBySide {
        to.html(r#"<p class="scrubbed-text full">"#);
        for stretch in &piece.text {
            original(&mut to, stretch);
        }
        to.html("</p>");
    }
    to.html(r#"<p class="scrubbed-text">"#);
    marks(&mut to, &piece.text, inline);
    to.html("</p>");
    to.0
}

fn marks(to: &mut Markup, stretches: &[Stretch], show: Show) {
    for stretch in stretches {
        let Stretch::Hidden {
            placeholder,
            family,
            text,
        } = stretch
        else {
            original(to, stretch);
            continue;
        };
        // A button element would let a line break stand between it and the text that it touches.
        to.html(r#"<span role="button" tabindex="-1" class=""#);
        to.text(family);
        to.html(r#"" data-mark=""#);
        to.text(placeholder);
        if show == Show::Merged {
            // It reads as it stands.
            to.html(r#""><s>"#);
            to.text(text);
            to.html("</s> ");
        } else {
            to.html(r#"" aria-label=""#);
            to.text(placeholder);
            to.html(" hides ");
            to.text(text);
            to.html(r#"">"#);
        }
        to.text(placeholder);
        to.html("</span>");
    }
}

/// A stretch of the evidence as given.
fn original(to: &mut Markup, stretch: &Stretch) {
    match stretch {
        Stretch::Absent(text) | Stretch::Kept(text) => to.text(text),
        Stretch::Leak(text) => {
            to.html(r#"<mark class="leak" title="A claim’s name that is still readable">"#);
            to.text(text);
            to.html("</mark>");
        }
        Stretch::Hidden {
            placeholder,
            family,
            text,
        } => {
            to.html(r#"<span class=""#);
            to.text(family);
            to.html(r#" original" data-mark=""#);
            to.text(placeholder);
            to.html(r#"" title=""#);
            to.text(placeholder);
            to.html(r#"">"#);
            to.text(text);
            to.html("</span>");
        }
    }
}

/// What a placeholder hides, and why.
pub(crate) fn lens(placeholder: &str, hidden: &Hidden) -> String {
    let mut to = Markup::default();
    to.html(r#"<span class=""#);
    to.text(&hidden.family);
    to.html(r#"">"#);
    to.text(placeholder);
    to.html(r#"</span> hides <span class="forms">"#);
    for form in &hidden.forms {
        to.html("<q>");
        to.text(&shortened(form));
        to.html("</q> ");
    }
    to.html(r#"</span><span class="aside">"#);
    to.text(&hidden.label);
    match hidden.places {
        1 => to.html(", one place: "),
        n => {
            to.html(", ");
            to.text(&n.to_string());
            to.html(" places: ");
        }
    }
    to.text(&hidden.why);
    to.html(".</span>");
    to.0
}

/// What is still readable; nothing where nothing is.
pub(crate) fn leaks(leaks: &[Leaking], total: usize) -> String {
    let mut to = Markup::default();
    if leaks.is_empty() {
        return to.0;
    }
    to.html(r#"<h3><svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=""#);
    to.html(icon::WARNING);
    to.html(r#""></path></svg>Still readable</h3><ul>"#);
    for Leaking { term, words } in leaks {
        to.html("<li><code>");
        to.text(term);
        to.html("</code>");
        to.text(words);
        to.html("</li>");
    }
    to.html("</ul>");
    if total > leaks.len() {
        to.html(r#"<p class="aside">and "#);
        to.text(&(total - leaks.len()).to_string());
        to.html(" more</p>");
    }
    to.0
}

/// The claims, with the words behind placeholders.
pub(crate) fn claims(claims: &[Claimed]) -> String {
    let mut to = Markup::default();
    for claim in claims {
        let (gone, of) = (claim.gone, claim.of);
        to.html(r#"<li><span class="id mono">"#);
        to.text(&claim.id);
        if claim.is_astray {
            to.html(r#"</span><span class="terms">not sent"#);
        } else {
            to.html(match gone == of && of > 0 {
                true => r#"</span><span class="terms whole">removed "#,
                false => r#"</span><span class="terms">removed "#,
            });
            to.text(&gone.to_string());
            to.html(" of ");
            to.text(&of.to_string());
            to.html(if of == 1 { " term" } else { " terms" });
        }
        to.html(r#"</span><span class="words">"#);
        for stretch in &claim.text {
            let is_absent = matches!(stretch, Stretch::Absent(_));
            if is_absent {
                to.html(r#"<span class="absent">"#);
            }
            original(&mut to, stretch);
            if is_absent {
                to.html(r#"<span class="aside"> (not in the evidence)</span></span>"#);
            }
        }
        to.html("</span>");
        if claim.is_astray {
            to.html(r#"<span class="aside">It cites a span that is not there: no judge is asked about it.</span>"#);
        } else if gone == 0 {
            to.html(r#"<span class="aside">"#);
            if claim.has_secret() {
                to.html("Its secret is hidden in both passes. ");
            }
            to.html("No name of it could be taken out: the scrubbed pass gets the spans redacted.</span>");
        }
        to.html("</li>");
    }
    to.0
}

fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_read_alike_and_hide_otherwise_differ() {
        let of = |stretch: Stretch| {
            piece(&Piece {
                head: None,
                text: vec![stretch],
            })
        };
        let hidden = |placeholder: &str| {
            of(Stretch::Hidden {
                placeholder: placeholder.to_owned(),
                family: String::new(),
                text: "users".to_owned(),
            })
        };
        let kept = || of(Stretch::Kept("users".to_owned()));
        assert_ne!(hidden("[TABLE_1]"), hidden("[TABLE_2]"));
        assert_ne!(hidden("[TABLE_1]"), kept());
        assert_eq!(kept(), kept());
    }

    #[test]
    fn what_is_drawn_is_text_whatever_it_holds() {
        const HOSTILE: &str = "<img src=x onerror=\"alert('a')\">&";
        let text = || HOSTILE.to_owned();
        let stretches = || {
            vec![
                Stretch::Hidden {
                    placeholder: text(),
                    family: text(),
                    text: text(),
                },
                Stretch::Leak(text()),
                Stretch::Absent(text()),
                Stretch::Kept(text()),
            ]
        };
        let pieces = piece(&Piece {
            head: Some((text(), stretches())),
            text: stretches(),
        });
        let hidden = Hidden {
            family: text(),
            label: text(),
            forms: vec![text()],
            places: 2,
            why: text(),
        };
        let leaking = Leaking {
            term: text(),
            words: text(),
        };
        let claimed = Claimed {
            id: text(),
            text: stretches(),
            gone: 1,
            of: 2,
            is_astray: false,
        };
        let rest = [
            lens(HOSTILE, &hidden),
            leaks(&[leaking], 3),
            claims(&[claimed]),
        ];
        for html in pieces.iter().chain(&rest) {
            assert!(html.contains("&lt;img src=x"), "{html}");
            assert!(
                !html.contains("<img") && !html.contains("\"alert"),
                "{html}"
            );
        }
    }
}

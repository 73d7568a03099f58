//! A link that holds the inputs: JSON, deflated by the browser, in the letters that an address may hold.
//!
//! Whoever opens a link gets what a stranger has written. It is read as the inputs and nothing else, and a
//! text that would grow without end is given up while it is inflated.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    ReadableStream, ReadableStreamDefaultReader, WritableStream, WritableStreamDefaultWriter,
};

use super::exchange::{Given, unreadable};
use crate::inputs::{Format, Inputs};

/// What a link's place begins with, before the format and a point.
pub(super) const MARK: &str = "#share=";

/// What inputs may come to when they are inflated.
const MOST_BYTES: usize = 4_000_000;

/// Longer addresses are cut by browsers and by most of what they are sent with.
const MOST_LETTERS: usize = 500_000;

/// How much is given to the browser at a time: it inflates that at once, to a thousand times as much at most.
const CHUNK: usize = 1024;

#[wasm_bindgen]
extern "C" {
    type CompressionStream;
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;
    type DecompressionStream;
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;

    /// Either of them.
    type Ends;
    #[wasm_bindgen(method, getter)]
    fn readable(this: &Ends) -> ReadableStream;
    #[wasm_bindgen(method, getter)]
    fn writable(this: &Ends) -> WritableStream;
}

/// The format of the streams: deflate without a header, which every browser has that has any.
const DEFLATE: &str = "deflate-raw";

/// What stands in the address, from the mark on.
pub(super) async fn write(inputs: &Inputs) -> Result<String, String> {
    let fails = || "This browser cannot make a link: export a file instead.".to_owned();
    let json = serde_json::to_string(&inputs.without_secrets()).map_err(|_| fails())?;
    let too_long = || "There is too much text for a link: export a file instead.".to_owned();
    if json.len() > MOST_BYTES {
        return Err(too_long());
    }
    let stream = CompressionStream::new(DEFLATE).map_err(|_| fails())?;
    let bytes = through(stream.unchecked_into(), json.into_bytes(), MOST_BYTES)
        .await
        .map_err(|_| fails())?;
    let letters = encode(&bytes);
    if letters.len() > MOST_LETTERS {
        return Err(too_long());
    }
    Ok(format!("{MARK}{}.{letters}", Format::CURRENT))
}

/// The inputs that a link holds, or what is wrong with it.
pub(super) async fn read(place: &str) -> Result<Given, String> {
    let rest = place.strip_prefix(MARK).unwrap_or(place);
    let (format, letters) = rest.split_once('.').unwrap_or((rest, ""));
    if format != Format::CURRENT.to_string() {
        let told: String = format
            .chars()
            .filter(char::is_ascii_digit)
            .take(6)
            .collect();
        return Err(format!(
            "This link was made by another version of the playground: it has format {}, and this page reads format {}.",
            if told.is_empty() { "?" } else { &told },
            Format::CURRENT
        ));
    }
    let broken = || "This link is incomplete: was it cut on its way?".to_owned();
    if letters.len() > MOST_LETTERS {
        return Err("This link is too long to be one of this page.".to_owned());
    }
    let bytes = decode(letters).ok_or_else(broken)?;
    let stream = DecompressionStream::new(DEFLATE)
        .map_err(|_| "This browser cannot read such links.".to_owned())?;
    let bytes = through(stream.unchecked_into(), bytes, MOST_BYTES).await;
    let bytes = bytes.map_err(|stopped| match stopped {
        Stopped::Broken => broken(),
        Stopped::TooLarge => {
            "This link holds more than 4 MB: it is none of this page, and was not read.".to_owned()
        }
    })?;
    let text = String::from_utf8(bytes).map_err(|_| broken())?;
    let json = serde_json::from_str(&text).map_err(|_| unreadable("link"))?;
    Given::read(json, "link")
}

/// Why a stream was not read to its end.
enum Stopped {
    Broken,
    TooLarge,
}

/// What comes out of a stream, up to so many bytes.
async fn through(stream: Ends, bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, Stopped> {
    let broken = |_| Stopped::Broken;
    let writer = stream.writable().get_writer().map_err(broken)?;
    spawn_local(feed(writer, bytes));
    let reader: ReadableStreamDefaultReader = stream.readable().get_reader().unchecked_into();
    let mut out = Vec::new();
    loop {
        let read = JsFuture::from(reader.read()).await.map_err(broken)?;
        let part = |name: &str| Reflect::get(&read, &name.into()).map_err(broken);
        if part("done")?.is_truthy() {
            return Ok(out);
        }
        let chunk: Uint8Array = part("value")?.unchecked_into();
        if out.len() + chunk.length() as usize > most {
            // Nobody waits for the rest, so its end does not matter.
            let _ = JsFuture::from(reader.cancel()).await;
            return Err(Stopped::TooLarge);
        }
        out.extend(chunk.to_vec());
    }
}

/// Writes bit by bit; where the stream has broken, its reader tells.
async fn feed(writer: WritableStreamDefaultWriter, bytes: Vec<u8>) {
    for chunk in bytes.chunks(CHUNK) {
        let chunk = Uint8Array::from(chunk);
        if JsFuture::from(writer.write_with_chunk(&chunk))
            .await
            .is_err()
        {
            return;
        }
    }
    let _ = JsFuture::from(writer.close()).await;
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64 for addresses, without padding.
fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0, |group: u32, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for at in 0..=chunk.len() {
            let letter = group >> (18 - 6 * at) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut group, mut bits) = (0_u32, 0);
    for letter in text.bytes() {
        let value = LETTERS.iter().position(|known| *known == letter)?;
        group = (group << 6 | value as u32) & 0xfff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((group >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_letters() {
        for (bytes, letters) in [
            (&b""[..], ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"\xff\xfe\xfd\xfb", "__79-w"),
        ] {
            assert_eq!(encode(bytes), letters);
            assert_eq!(decode(letters).as_deref(), Some(bytes));
        }
        let all: Vec<u8> = (0..=255).cycle().take(1000).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        assert_eq!(decode("Zg=="), None);
        assert_eq!(decode("<b>"), None);
    }
}

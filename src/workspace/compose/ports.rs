//! Ports of a service: `[[host:]published:]container[/protocol]`, numbers, ranges, and the long syntax.

use super::{get, text_of};
use crate::contracts::tree::Node;
use crate::text::Span;
use crate::workspace::variables;

/// Ports from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub from: u16,
    pub to: u16,
}

impl Range {
    pub fn has(self, port: u16) -> bool {
        (self.from..=self.to).contains(&port)
    }

    pub fn overlaps(self, other: Range) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// A port of a container and where it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    pub container: Range,
    /// The port of the machine; none where any free one is taken.
    pub host: Option<Range>,
    /// The address of the machine; empty for all of them.
    pub address: String,
    pub protocol: String,
    pub span: Span,
}

/// Reads one entry; `None` where it cannot be told.
pub(super) fn read(node: &Node) -> Option<Published> {
    let protocol = |text: &str| if text.is_empty() { "tcp".to_owned() } else { text.to_ascii_lowercase() };
    if let Some(text) = node.scalar_text() {
        let text = variables::with_defaults(text)?;
        let (ports, kind) = text.split_once('/').unwrap_or((&text, ""));
        let (before, container) = ports.rsplit_once(':').unwrap_or(("", ports));
        let (address, host) = before.rsplit_once(':').unwrap_or(("", before));
        let host = if host.is_empty() { None } else { Some(range(host)?) };
        let address = plain(address);
        return Some(Published {
            container: range(container)?,
            host,
            address,
            protocol: protocol(kind),
            span: node.span,
        });
    }
    let number =
        |key: &str| text_of(node, key).map(|text| variables::with_defaults(text).and_then(|text| range(&text)));
    let host = match number("published") {
        Some(host) => Some(host?),
        None => None,
    };
    get(node, "target")?;
    Some(Published {
        container: number("target")??,
        host,
        address: plain(text_of(node, "host_ip").unwrap_or("")),
        protocol: protocol(text_of(node, "protocol").unwrap_or("")),
        span: node.span,
    })
}

/// All addresses have one name.
fn plain(address: &str) -> String {
    let address = address.trim_matches(['[', ']']);
    if matches!(address, "0.0.0.0" | "::") { String::new() } else { address.to_owned() }
}

/// `80`, or `8000-8010`.
pub(super) fn range(text: &str) -> Option<Range> {
    let text = text.trim();
    let text = text.split('/').next().unwrap_or(text);
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = Range { from: from.trim().parse().ok()?, to: to.trim().parse().ok()? };
    (range.from > 0 && range.from <= range.to).then_some(range)
}

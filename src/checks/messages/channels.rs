//! Channels of a document that code uses: which one a use is about, and which are left over on either side.

use std::collections::BTreeSet;

use super::{UNKNOWN_CHANNEL, UNUSED_CHANNEL, is_named};
use crate::checks::causes::Cause;
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Label};
use crate::model::{Action, Channel, Events, MessageUse, name_key};
use crate::project::Service;

/// The channel that a use is about, by index: of its address, else of a template that its address fits, else the only one
/// with a message of its name.
pub(in crate::checks) fn found_channel(events: &Events, usage: &MessageUse) -> Option<usize> {
    let address = |channel: &Channel| channel.address.clone().unwrap_or_else(|| channel.name.clone());
    if let Ok(text) = &usage.channel {
        if let Some(at) = events.channels.iter().position(|channel| address(channel) == *text) {
            return Some(at);
        }
        if let Some(at) = events.channels.iter().position(|channel| fits(&address(channel), text)) {
            return Some(at);
        }
    }
    let name = usage.message.as_ref()?;
    let with = |channel: &Channel| channel.messages.iter().any(|message| is_named(message, name));
    let mut having = events.channels.iter().enumerate().filter(|(_, channel)| with(channel));
    let (at, _) = having.next()?;
    if having.next().is_some() { None } else { Some(at) }
}

/// Whether a channel has this address.
pub(in crate::checks) fn is_at(channel: &Channel, address: &str) -> bool {
    let known = channel.address.as_ref().unwrap_or(&channel.name);
    known == address || fits(known, address)
}

/// Whether an address is one of a template: `orders.{region}.placed`.
fn fits(template: &str, address: &str) -> bool {
    if !template.contains('{') {
        return false;
    }
    let mut rest = address;
    let mut literal = "";
    let mut parts = template.split('{');
    if let Some(first) = parts.next() {
        match rest.strip_prefix(first) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    for part in parts {
        let Some((_, after)) = part.split_once('}') else { return false };
        literal = after;
        if literal.is_empty() {
            continue;
        }
        match rest.find(literal).filter(|at| *at > 0) {
            Some(at) => rest = &rest[at + literal.len()..],
            None => return false,
        }
    }
    // A parameter at the end takes one part of the address.
    if literal.is_empty() { !rest.is_empty() && !rest.contains(['.', '/', ':']) } else { rest.is_empty() }
}

/// Whether code subscribes to whatever fits: `orders.*`, `orders.#`, `orders.>`.
fn is_pattern(channel: &str) -> bool {
    channel.contains(['*', '#', '>', '+'])
}

/// What code does with the channels of one document.
pub(super) struct Uses<'a> {
    events: &'a Events,
    /// The document is these services' whether anything of it is found or not.
    named: bool,
    used: BTreeSet<usize>,
    /// Libraries that are used for channels of the document: what else they do belongs there, too.
    libraries: BTreeSet<&'static str>,
    missed: Vec<(&'a Service, &'a MessageUse)>,
    /// A use whose channel is not known, or that takes whatever fits.
    open: bool,
}

impl<'a> Uses<'a> {
    pub(super) fn new(events: &'a Events, named: bool) -> Self {
        let (used, libraries) = (BTreeSet::new(), BTreeSet::new());
        Uses { events, named, used, libraries, missed: Vec::new(), open: false }
    }

    pub(super) fn found(&mut self, at: usize, usage: &MessageUse) {
        self.used.insert(at);
        self.libraries.insert(usage.library);
    }

    pub(super) fn missed(&mut self, service: &'a Service, usage: &'a MessageUse) {
        match &usage.channel {
            Ok(channel) if !is_pattern(channel) => self.missed.push((service, usage)),
            _ => self.open = true,
        }
    }

    /// The channels that one side has alone.
    pub(super) fn evidence(&self, contract: &Declarations) -> Vec<(Cause, Evidence)> {
        let mut found = Vec::new();
        for (_, usage) in &self.missed {
            let Ok(channel) = &usage.channel else { continue };
            let nearest = self.nearest(channel);
            if self.named || nearest.is_some() || self.libraries.contains(usage.library) {
                found.push(unknown_channel(contract, usage, channel, nearest));
            }
        }
        if !self.open && !self.used.is_empty() {
            let unused = (0..self.events.channels.len()).filter(|at| !self.used.contains(at));
            found.extend(unused.filter_map(|at| unused_channel(&self.events.channels[at])));
        }
        found
    }

    /// A channel whose address differs in case and punctuation alone.
    fn nearest(&self, address: &str) -> Option<&'a Channel> {
        let key = name_key(address);
        self.events
            .channels
            .iter()
            .find(|channel| name_key(channel.address.as_deref().unwrap_or(&channel.name)) == key && !key.is_empty())
    }
}

fn unknown_channel(
    contract: &Declarations,
    usage: &MessageUse,
    channel: &str,
    nearest: Option<&Channel>,
) -> (Cause, Evidence) {
    let place = match nearest {
        Some(channel) => ContractPlace { span: channel.span, pointer: channel.pointer.clone() },
        None => ContractPlace { span: contract.paths, pointer: "/channels".to_owned() },
    };
    let advice = match nearest {
        Some(near) => {
            format!("the document has `{}`: spell one like the other", near.address.as_deref().unwrap_or(&near.name))
        }
        None => "declare the channel in the document, or correct its name in the code".to_owned(),
    };
    let related = match nearest {
        Some(_) => "the nearest channel".to_owned(),
        None => format!("channels without `{channel}`"),
    };
    let does = if usage.action == Action::Send { "sends to" } else { "receives from" };
    let evidence = Evidence {
        kind: UNKNOWN_CHANNEL,
        span: usage.span,
        label: format!("{does} `{channel}`"),
        related: vec![Label { span: place.span, text: related }],
        operations: Vec::new(),
        field: None,
        contract: Some(place),
        subject: format!("{does} {channel}"),
        values: vec![
            ("channel", format!("`{channel}`")),
            ("type", format!("`{}`", usage.function)),
            ("does", does.to_owned()),
            ("advice", advice),
        ],
        at_most: None,
    };
    ((UNKNOWN_CHANNEL, Some(usage.span), String::new(), channel.to_owned(), None, String::new()), evidence)
}

fn unused_channel(channel: &Channel) -> Option<(Cause, Evidence)> {
    let address = channel.address.as_deref()?;
    let place = ContractPlace { span: channel.span, pointer: channel.pointer.clone() };
    let evidence = Evidence {
        kind: UNUSED_CHANNEL,
        span: channel.span,
        label: "declared here".to_owned(),
        related: Vec::new(),
        operations: Vec::new(),
        field: None,
        contract: Some(place),
        subject: format!("channel {address}"),
        values: vec![("channel", format!("`{address}`"))],
        at_most: None,
    };
    let cause = (UNUSED_CHANNEL, None, String::new(), address.to_owned(), Some(channel.span), channel.pointer.clone());
    Some((cause, evidence))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn parameters_of_an_address_take_what_stands_between_its_literal_parts() {
        assert!(fits("orders.{region}.placed", "orders.eu.placed"));
        assert!(fits("orders/{id}", "orders/1"));
        assert!(!fits("orders/{id}", "orders/1/lines"));
        assert!(!fits("orders.{region}.placed", "orders.placed"));
        assert!(!fits("orders.placed", "orders.placed"));
        assert!(!fits("orders.{region}.placed", "orders.eu.placed.again"));
    }
}

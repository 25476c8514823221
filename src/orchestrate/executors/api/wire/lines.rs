//! Server-sent events: <https://html.spec.whatwg.org/multipage/server-sent-events.html>. Only their data matters here.

/// Takes bytes, and gives the data of each event that is whole.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    after_return: bool,
    data: Option<String>,
    begun: bool,
}

impl Events {
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    whole.extend(self.end_of_line());
                }
                _ => {
                    self.after_return = false;
                    self.line.push(*byte);
                }
            }
        }
        whole
    }

    /// The data of an event that nothing ended.
    pub(super) fn rest(&mut self) -> Option<String> {
        self.end_of_line();
        self.data.take()
    }

    fn end_of_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if self.begun { &*line } else { line.strip_prefix('\u{feff}').unwrap_or(&line) };
        self.begun = true;
        if line.is_empty() {
            return self.data.take();
        }
        if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.data {
                Some(before) => {
                    before.push('\n');
                    before.push_str(data);
                }
                None => self.data = Some(data.to_owned()),
            }
        }
        None
    }
}

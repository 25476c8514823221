//! Templates: data in, text out.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value};

use super::{Generated, Part, ScaffoldError};

/// Files of a service, as they are made.
pub(super) struct Files<'t> {
    environment: Environment<'t>,
    pub(super) made: Vec<Generated>,
}

impl<'t> Files<'t> {
    /// Templates by name.
    ///
    /// # Errors
    /// A template that cannot be read.
    pub(super) fn new(templates: &[(&'t str, &'t str)]) -> Result<Self, ScaffoldError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        environment.set_syntax(syntax.map_err(|error| failed("syntax", &error))?);
        for (name, text) in templates {
            environment.add_template(name, text).map_err(|error| failed(name, &error))?;
        }
        Ok(Files { environment, made: Vec::new() })
    }

    /// Fills a template and keeps what comes out as a file.
    ///
    /// # Errors
    /// A template that asks for what is not there.
    pub(super) fn add(&mut self, part: Part, path: &str, template: &str, data: &Value) -> Result<(), ScaffoldError> {
        let text = self.filled(template, data)?;
        self.made.push(Generated { part, path: path.to_owned(), text: tidied(&text) });
        Ok(())
    }

    /// Fills a template.
    ///
    /// # Errors
    /// A template that asks for what is not there.
    pub(super) fn filled(&self, template: &str, data: &Value) -> Result<String, ScaffoldError> {
        let found = self.environment.get_template(template).map_err(|error| failed(template, &error))?;
        found.render(data).map_err(|error| failed(template, &error))
    }

    pub(super) fn add_text(&mut self, part: Part, path: &str, text: &str) {
        self.made.push(Generated { part, path: path.to_owned(), text: text.to_owned() });
    }
}

/// No blanks at the ends of lines, never more than two empty lines, one line end at the end.
fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        if !out.is_empty() {
            out.extend(std::iter::repeat_n('\n', empty.min(2)));
        }
        empty = 0;
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn failed(template: &str, error: &minijinja::Error) -> ScaffoldError {
    ScaffoldError::Template { template: template.to_owned(), reason: format!("{error:#}") }
}

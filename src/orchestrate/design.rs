//! The design reference: pages that the settings name are read, and written down as requirements for whoever builds pages.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::OrchestrateError;
use super::exports;
use super::runner::Run;
use crate::design::{self, Page, Site};
use crate::events::PhaseOutcome;
use crate::gates::on_path;
use crate::process::{self, Cancel, Limits};
use crate::settings::{DesignDepth, DesignReference};

/// The document, in the folder of documents.
pub(super) const DOCUMENT: &str = "UI_REQUIREMENTS.md";
/// Folder of pictures, beside the document.
const PICTURES: &str = "design";
/// How long a connection, and how long a page may take.
const CONNECT: Duration = Duration::from_secs(10);
const READ: Duration = Duration::from_secs(20);
/// Of a page or a stylesheet; what is larger is not read, and said so.
const MAX_BYTES: u64 = 4 << 20;
/// Stylesheets of a site that are read; more are counted among what was not read.
const MAX_SHEETS: usize = 12;
/// What a browser may take for a picture.
const PICTURE: Limits = Limits { time: Duration::from_mins(1), idle: Duration::from_mins(1) };
/// Browsers that draw a page without a window, by the names under which they are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

impl Run {
    /// Reads the pages that are named, and writes what they ask of pages of the project.
    ///
    /// # Errors
    /// The document cannot be written.
    pub(super) fn refer_to_design(&self) -> Result<(PhaseOutcome, String), OrchestrateError> {
        let wanted = &self.settings.research.design;
        if wanted.urls.is_empty() {
            return Ok((PhaseOutcome::Skipped, "no pages are named by [design-reference] urls".to_owned()));
        }
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(READ))
            .user_agent(concat!("treaty/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let folder = self.place.exports();
        let mut sites = Vec::new();
        for address in &wanted.urls {
            let mut reader = Reader { agent: &agent, root: &self.place.root, cancel: &self.cancel };
            let mut site = reader.site(address, wanted.max_pages_per_site);
            if wanted.depth != DesignDepth::Branding {
                draw(&mut site, (&folder, sites.len()), wanted, &self.place.root, &self.cancel);
            }
            sites.push(site);
        }
        let project = self.decomposed().service_map.project_name;
        let text = design::document(&project, &sites, wanted.depth == DesignDepth::Full);
        exports::write_whole(&folder.join(DOCUMENT), &text)?;
        let pages: usize = sites.iter().map(|it| it.pages.len()).sum();
        let problems: usize = sites.iter().map(|it| it.problems.len()).sum();
        let outcome = if pages == 0 { PhaseOutcome::Failed } else { PhaseOutcome::Done };
        let not_read = if problems == 0 { String::new() } else { format!("; {problems} problems, in {DOCUMENT}") };
        Ok((outcome, format!("{pages} pages of {} addresses{not_read}", sites.len())))
    }
}

struct Reader<'r> {
    agent: &'r ureq::Agent,
    root: &'r Path,
    cancel: &'r Cancel,
}

impl Reader<'_> {
    /// The page of an address and those of the same origin that it leads to, breadth first; of a file, that page alone.
    fn site(&mut self, address: &str, most: usize) -> Site {
        let mut site = Site { address: address.to_owned(), ..Site::default() };
        if design::parts(address).is_none() {
            match self.file(address) {
                Ok(text) => {
                    let page = Page::read(address.to_owned(), &text);
                    for sheet in &page.outline.stylesheets {
                        if design::parts(sheet).is_some() || sheet.starts_with("//") {
                            continue;
                        }
                        let beside = Path::new(address).parent().unwrap_or(Path::new("")).join(sheet);
                        match self.file(&beside.to_string_lossy()) {
                            Ok(text) => site.sheets.push(text),
                            Err(why) => site.problems.push(format!("{sheet}: {why}")),
                        }
                    }
                    site.pages.push(page);
                }
                Err(why) => site.problems.push(format!("{address}: {why}")),
            }
            return site;
        }
        let mut waiting = vec![address.to_owned()];
        let mut sheets: Vec<String> = Vec::new();
        let mut origin = None;
        let mut at = 0;
        while let Some(next) = waiting.get(at).filter(|_| site.pages.len() < most.max(1)).cloned() {
            at += 1;
            if self.cancel.is_wanted() {
                break;
            }
            let (place, text) = match self.fetch(&next, "html") {
                Ok(read) => read,
                Err(why) => {
                    site.problems.push(format!("{next}: {why}"));
                    continue;
                }
            };
            let own = design::parts(&place).map(|it| it.0.to_owned());
            // Where the first page moved to is the site.
            let origin = origin.get_or_insert_with(|| own.clone());
            if own != *origin {
                continue;
            }
            let is_own = |it: &String| design::parts(it).map(|it| it.0.to_owned()) == *origin;
            let page = Page::read(place.clone(), &text);
            let links = page.outline.links.iter().filter_map(|it| design::follow(&place, &it.0)).filter(is_own);
            for link in links {
                if !waiting.contains(&link) && waiting.len() < most.saturating_mul(8) && link != place {
                    waiting.push(link);
                }
            }
            for sheet in page.outline.stylesheets.iter().filter_map(|it| design::follow(&place, it)) {
                if !sheets.contains(&sheet) {
                    sheets.push(sheet);
                }
            }
            site.pages.push(page);
        }
        self.sheets(&mut site, &sheets, origin.flatten().as_deref());
        site
    }

    /// Stylesheets of the site's own origin: others are fonts and widgets as a rule, and nobody asked for their hosts.
    fn sheets(&mut self, site: &mut Site, sheets: &[String], origin: Option<&str>) {
        let (own, foreign): (Vec<&String>, Vec<&String>) =
            sheets.iter().partition(|it| design::parts(it).map(|it| it.0) == origin);
        for sheet in own.iter().take(MAX_SHEETS) {
            match self.fetch(sheet, "css") {
                Ok((_, text)) => site.sheets.push(text),
                Err(why) => site.problems.push(format!("{sheet}: {why}")),
            }
        }
        if own.len() > MAX_SHEETS {
            site.problems.push(format!("{} more stylesheets", own.len() - MAX_SHEETS));
        }
        site.problems.extend(foreign.iter().map(|it| format!("{it}: a stylesheet of another host")));
    }

    /// Where an address leads in the end, and what is there.
    fn fetch(&self, address: &str, kind: &str) -> Result<(String, String), String> {
        use ureq::ResponseExt;
        let mut response = self.agent.get(address).call().map_err(|error| error.to_string())?;
        let said = response.headers().get("content-type").and_then(|it| it.to_str().ok()).unwrap_or_default();
        if !said.is_empty() && !said.to_ascii_lowercase().contains(kind) {
            return Err(format!("{said}, not {kind}"));
        }
        let place = response.get_uri().to_string();
        let bytes = response.body_mut().with_config().limit(MAX_BYTES).read_to_vec();
        let bytes = bytes.map_err(|error| error.to_string())?;
        Ok((place, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// A file of the project.
    fn file(&self, path: &str) -> Result<String, String> {
        let failed = |error: std::io::Error| error.to_string();
        let path = self.root.join(path).canonicalize().map_err(failed)?;
        if !path.starts_with(self.root.canonicalize().map_err(failed)?) {
            return Err("outside of the project".to_owned());
        }
        let size = fs::metadata(&path).map_err(failed)?.len();
        if size > MAX_BYTES {
            return Err(format!("{size} bytes are too many"));
        }
        Ok(String::from_utf8_lossy(&fs::read(&path).map_err(failed)?).into_owned())
    }
}

/// Has a browser draw each page. `at`: the folder of documents, and which site this is.
fn draw(site: &mut Site, at: (&Path, usize), wanted: &DesignReference, root: &Path, cancel: &Cancel) {
    if site.pages.is_empty() {
        return;
    }
    let words: Vec<String> = match &wanted.browser {
        Some(line) => line.split_whitespace().map(str::to_owned).collect(),
        None => {
            BROWSERS.iter().find(|it| on_path(root, it).is_some()).map(|it| vec![(*it).to_owned()]).unwrap_or_default()
        }
    };
    let Some((program, own)) = words.split_first() else {
        let known = BROWSERS.join(", ");
        site.problems.push(format!("no pictures: none of {known} is there, and [design-reference] browser names none"));
        return;
    };
    let folder = at.0.join(PICTURES);
    if let Err(error) = fs::create_dir_all(&folder) {
        site.problems.push(format!("no pictures: {}: {error}", folder.display()));
        return;
    }
    for (number, page) in site.pages.iter_mut().enumerate() {
        let name = format!("{}-{}.png", at.1 + 1, number + 1);
        let picture = folder.join(&name);
        let _ = fs::remove_file(&picture);
        let profile = folder.join(".profile");
        let address = match design::parts(&page.address) {
            Some(_) => page.address.clone(),
            None => format!("file://{}", root.join(&page.address).display()),
        };
        let mut command = process::command(program, at.0, &[]);
        command.args(own).args(["--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--disable-background-networking", "--window-size=1280,1600"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(format!("--screenshot={}", picture.display())).arg(address);
        let log = folder.join("browser.log");
        let ended = process::run(command, &log, PICTURE, cancel);
        let _ = fs::remove_dir_all(&profile);
        if picture.is_file() {
            page.picture = Some(format!("{PICTURES}/{name}"));
            continue;
        }
        let why = match ended {
            Err(error) => error.to_string(),
            Ok(_) => process::tail(&log, 300).lines().last().unwrap_or("the browser wrote none").to_owned(),
        };
        site.problems.push(format!("no picture of {}: {why}", page.address));
        // Whatever keeps the browser from this page keeps it from the next.
        return;
    }
}

//! Tables about what is read before the build: technologies, long requirements, a design.

use serde::Deserialize;

/// What is read before the build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Research {
    pub technologies: TechResearch,
    pub chunking: PrdChunking,
    pub design: DesignReference,
}

/// `[tech-research]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TechResearch {
    /// Where nobody says: from the depth `standard` on.
    pub enabled: Option<bool>,
    /// Technologies that the document names.
    pub max_techs: usize,
    /// Known to older setups, and without effect: nothing is searched on the network.
    pub max_queries_per_tech: u32,
    /// Bytes of a prompt that speak of technologies.
    pub injection_max_chars: usize,
}

impl Default for TechResearch {
    fn default() -> Self {
        TechResearch { enabled: None, max_techs: 8, max_queries_per_tech: 4, injection_max_chars: 6_000 }
    }
}

/// `[prd-chunking]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PrdChunking {
    /// On or off.
    pub enabled: bool,
    /// Bytes from which on requirements are cut.
    pub threshold: usize,
    /// Bytes of a part, and of what a prompt holds of the requirements.
    pub max_chunk_size: usize,
}

impl Default for PrdChunking {
    fn default() -> Self {
        PrdChunking { enabled: true, threshold: 50_000, max_chunk_size: 20_000 }
    }
}

/// `[design-reference]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DesignReference {
    /// Pages that the project's pages are to look like: addresses, or files of the project. None: nothing is read.
    pub urls: Vec<String>,
    /// What is read of a page.
    pub depth: DesignDepth,
    /// Pages that are read of an address: that page, and those of the same origin that it leads to.
    pub max_pages_per_site: usize,
    /// Command of a Chromium that draws pages; where it is not named, one is looked for.
    pub browser: Option<String>,
}

/// What is read of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DesignDepth {
    /// How the pages look, and what stands on them, with pictures.
    #[default]
    Full,
    /// How the pages look.
    Branding,
    /// How the pages look, with pictures.
    Screenshots,
}

impl Default for DesignReference {
    fn default() -> Self {
        DesignReference { urls: Vec::new(), depth: DesignDepth::default(), max_pages_per_site: 5, browser: None }
    }
}

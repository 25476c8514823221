//! Where the specifier of an ES import leads: Node's resolution (nodejs.org/api/modules.html, "All together") with
//! TypeScript's extensions, `paths` and `baseUrl` (typescriptlang.org/docs/handbook/modules/reference.html).

use rustc_hash::FxHashMap;

use super::value::{Found, ModuleId};

/// What manifests say about specifiers. Directories and targets are paths as [`Module::path`](crate::model::program::Module::path) is.
#[derive(Clone, Debug, Default)]
pub struct Specifiers {
    pub packages: Vec<Package>,
    pub configs: Vec<PathConfig>,
    /// Of C#.
    pub projects: Vec<super::Project>,
}

/// A package of the workspace: `package.json`.
#[derive(Clone, Debug, Default)]
pub struct Package {
    pub name: String,
    pub directory: String,
    /// Where the package itself leads, below the directory, best first: `source`, `exports["."]`, `main`, `types`.
    pub entries: Vec<String>,
    /// `exports` besides `"."`: pattern without its `./`, and where it leads.
    pub exports: Vec<(String, Vec<String>)>,
    /// `imports`: pattern with its `#`, and where it leads.
    pub imports: Vec<(String, Vec<String>)>,
    /// The names of what it depends on, in whatever way.
    pub dependencies: Vec<String>,
}

/// `tsconfig.json` or `jsconfig.json`.
#[derive(Clone, Debug, Default)]
pub struct PathConfig {
    pub directory: String,
    /// `baseUrl`, as a directory.
    pub base: Option<String>,
    /// `paths`: pattern, and where it leads.
    pub paths: Vec<(String, Vec<String>)>,
}

const EXTENSIONS: &[&str] = &["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"];
/// What a specifier that ends in the first may mean in sources: the compiler's output is not there.
const COMPILED: &[(&str, &[&str])] =
    &[(".js", &["ts", "tsx", "d.ts", "jsx"]), (".jsx", &["tsx"]), (".mjs", &["mts", "ts"]), (".cjs", &["cts", "ts"])];
/// Directories that a build writes to, and where its input usually lies.
const BUILT: &[&str] = &["dist", "build", "lib", "out", "esm", "cjs"];

/// Modules by path.
#[derive(Debug, Default)]
pub(super) struct Files {
    by_path: FxHashMap<String, ModuleId>,
    /// Directory of each package, by its name.
    packages: FxHashMap<String, usize>,
    by_directory: FxHashMap<String, usize>,
    /// Directories in which packages of a scope lie under their own names.
    beside: FxHashMap<String, Vec<String>>,
    configs: FxHashMap<String, usize>,
    specifiers: Specifiers,
}

impl Files {
    pub(super) fn new(specifiers: Specifiers) -> Self {
        let mut files = Files::default();
        for (at, package) in specifiers.packages.iter().enumerate() {
            if !package.name.is_empty() {
                files.packages.entry(package.name.clone()).or_insert(at);
            }
            if let Some((scope, name)) = package.name.split_once('/')
                && let Some((beside, own)) = package.directory.rsplit_once('/')
                && name == own
            {
                let known = files.beside.entry(scope.to_owned()).or_default();
                if !known.iter().any(|known| known == beside) {
                    known.push(beside.to_owned());
                }
            }
            files.by_directory.insert(package.directory.clone(), at);
        }
        for (at, config) in specifiers.configs.iter().enumerate() {
            files.configs.insert(config.directory.clone(), at);
        }
        files.specifiers = specifiers;
        files
    }

    pub(super) fn add(&mut self, path: &str, module: ModuleId) {
        self.by_path.insert(path.to_owned(), module);
    }

    /// The package whose directory encloses a path nearest.
    pub(super) fn package_of(&self, path: &str) -> Option<&Package> {
        let mut above = directory(path);
        loop {
            if let Some(at) = self.by_directory.get(above) {
                return self.specifiers.packages.get(*at);
            }
            if above.is_empty() {
                return None;
            }
            above = directory(above);
        }
    }

    /// Where a specifier leads, seen from the module at `from`; the name of a package that is not in the sources is
    /// external.
    pub(super) fn resolve(&self, from: &str, specifier: &str) -> Found {
        let specifier = specifier.split(['?', '!']).next().unwrap_or(specifier);
        if specifier == "." || specifier == ".." || specifier.starts_with("./") || specifier.starts_with("../") {
            let path = match directory(from) {
                "" => normal_path(specifier),
                directory => normal_path(&format!("{directory}/{specifier}")),
            };
            return self.at(&path).map_or_else(|| Found::External(specifier.into()), Found::Module);
        }
        let found = self
            .by_config(from, specifier)
            .or_else(|| self.by_imports(from, specifier))
            .or_else(|| self.by_package(specifier).filter(|_| !self.is_own_dependency(from, specifier)))
            .or_else(|| self.by_alias(from, specifier));
        found
            .map_or_else(|| Found::External(specifier.strip_prefix("node:").unwrap_or(specifier).into()), Found::Module)
    }

    /// `paths`, then `baseUrl`, of the nearest configuration that knows the specifier.
    fn by_config(&self, from: &str, specifier: &str) -> Option<ModuleId> {
        let mut above = directory(from);
        loop {
            if let Some(at) = self.configs.get(above) {
                let config = &self.specifiers.configs[*at];
                let found = self.by_patterns(&config.paths, specifier).or_else(|| {
                    let base = config.base.as_ref()?;
                    self.at(&normal_path(&format!("{base}/{specifier}")))
                });
                if found.is_some() {
                    return found;
                }
            }
            if above.is_empty() {
                return None;
            }
            above = directory(above);
        }
    }

    /// The longest pattern that fits, as the compiler chooses.
    fn by_patterns(&self, patterns: &[(String, Vec<String>)], specifier: &str) -> Option<ModuleId> {
        let fits = |pattern: &str| match pattern.split_once('*') {
            None => (pattern == specifier).then_some((usize::MAX, "")),
            Some((before, after)) => {
                let rest = specifier.strip_prefix(before)?.strip_suffix(after)?;
                Some((before.len(), rest))
            }
        };
        let (_, rest, targets) = patterns
            .iter()
            .filter_map(|(pattern, targets)| fits(pattern).map(|(length, rest)| (length, rest, targets)))
            .max_by_key(|(length, ..)| *length)?;
        targets.iter().find_map(|target| self.built(&normal_path(&target.replacen('*', rest, 1))))
    }

    /// `#name`: `imports` of the nearest package.
    fn by_imports(&self, from: &str, specifier: &str) -> Option<ModuleId> {
        if !specifier.starts_with('#') {
            return None;
        }
        let mut above = directory(from);
        while !above.is_empty() {
            if let Some(at) = self.by_directory.get(above) {
                return self.by_patterns(&self.specifiers.packages[*at].imports, specifier);
            }
            above = directory(above);
        }
        None
    }

    /// A name that no configuration explains which is read (a bundler's has aliases too): where the nearest package
    /// does not depend on what it names, and a file of its own is there.
    fn by_alias(&self, from: &str, specifier: &str) -> Option<ModuleId> {
        let (name, rest) = package_name(specifier);
        let (first, below) = specifier.split_once('/').unwrap_or((specifier, ""));
        let is_mark = |c: char| matches!(c, '@' | '~' | '#' | '$');
        if specifier.contains(':') || (below.is_empty() && !first.starts_with(is_mark)) {
            return None;
        }
        let package = self.package_of(from)?;
        if package.dependencies.iter().any(|known| known == name || (rest.is_empty() && known == first)) {
            return None;
        }
        let own = specifier.trim_start_matches(is_mark).trim_start_matches('/');
        let base = &package.directory;
        // `@/users` is below the sources, `@users` a folder of theirs.
        let whole = !own.is_empty() && first.chars().all(is_mark);
        let folders: &[&str] = if whole { &["src", "", "app", "server"] } else { &["src", ""] };
        folders.iter().find_map(|folder| self.at(&normal_path(&format!("{base}/{folder}/{own}"))))
    }

    /// Whether a package depends on another one of its own name: a folder is called like what it is built with.
    fn is_own_dependency(&self, from: &str, specifier: &str) -> bool {
        let name = package_name(specifier).0;
        self.package_of(from).is_some_and(|own| own.name == name && own.dependencies.iter().any(|it| it == name))
    }

    fn by_package(&self, specifier: &str) -> Option<ModuleId> {
        let (name, rest) = package_name(specifier);
        let Some(package) = self.packages.get(name) else { return self.by_scope(name, rest) };
        let package = &self.specifiers.packages[*package];
        if rest.is_empty() {
            return self.entry(package);
        }
        self.by_patterns(&package.exports, rest).or_else(|| {
            let inside = format!("{}/{rest}", package.directory);
            self.at(&inside)
                .or_else(|| self.built(&inside))
                .or_else(|| self.at(&format!("{}/src/{rest}", package.directory)))
        })
    }

    /// A package of the workspace whose manifest is not here: it lies beside the others of its scope.
    fn by_scope(&self, name: &str, rest: &str) -> Option<ModuleId> {
        let (scope, own) = name.split_once('/')?;
        self.beside.get(scope)?.iter().find_map(|beside| {
            let directory = format!("{beside}/{own}");
            if rest.is_empty() {
                return self
                    .file(&format!("{directory}/src/index"))
                    .or_else(|| self.file(&format!("{directory}/index")));
            }
            self.at(&format!("{directory}/{rest}")).or_else(|| self.at(&format!("{directory}/src/{rest}")))
        })
    }

    /// What a package leads to by its name alone.
    fn entry(&self, package: &Package) -> Option<ModuleId> {
        let directory = &package.directory;
        package
            .entries
            .iter()
            .find_map(|entry| self.built(&normal_path(&format!("{directory}/{entry}"))))
            .or_else(|| self.file(&format!("{directory}/src/index")))
            .or_else(|| self.file(&format!("{directory}/index")))
    }

    /// A path, or what is built to it: `dist/a.js` from `src/a.ts` or `a.ts`.
    fn built(&self, path: &str) -> Option<ModuleId> {
        if let Some(found) = self.at(path) {
            return Some(found);
        }
        let parts: Vec<&str> = path.split('/').collect();
        let at = parts.iter().rposition(|part| BUILT.contains(part))?;
        let (before, after) = (parts[..at].join("/"), parts[at + 1..].join("/"));
        let stem = after.strip_suffix(".d.ts").unwrap_or(&after);
        [format!("{before}/src/{stem}"), format!("{before}/{stem}")].iter().find_map(|path| self.at(path))
    }

    fn at(&self, path: &str) -> Option<ModuleId> {
        if let Some(found) = self.file(path) {
            return Some(found);
        }
        if let Some(at) = self.by_directory.get(path) {
            let package = &self.specifiers.packages[*at];
            let entry = package.entries.iter().find_map(|entry| self.file(&normal_path(&format!("{path}/{entry}"))));
            if entry.is_some() {
                return entry;
            }
        }
        self.file(&format!("{path}/index"))
    }

    /// A file, its extension left out or that of what it is compiled to.
    pub(super) fn file(&self, path: &str) -> Option<ModuleId> {
        if let Some(found) = self.by_path.get(path) {
            return Some(*found);
        }
        let with = |stem: &str, extension: &str| self.by_path.get(&format!("{stem}.{extension}")).copied();
        for (compiled, sources) in COMPILED {
            if let Some(stem) = path.strip_suffix(compiled)
                && let Some(found) = sources.iter().find_map(|source| with(stem, source))
            {
                return Some(found);
            }
        }
        EXTENSIONS.iter().find_map(|extension| with(path, extension))
    }
}

/// `@scope/name/rest` is `@scope/name` and `rest`.
pub fn package_name(specifier: &str) -> (&str, &str) {
    let slashes = usize::from(specifier.starts_with('@'));
    match specifier.match_indices('/').nth(slashes) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, ""),
    }
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// A path with `.`, `..` and doubled slashes resolved, `""` for the directory itself. One that leads above where it begins
/// keeps its `..`, unless it begins at the root.
pub fn normal_path(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if is_absolute { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str], specifiers: Specifiers) -> Files {
        let mut files = Files::new(specifiers);
        for (at, path) in paths.iter().enumerate() {
            files.add(path, ModuleId(at as u32));
        }
        files
    }

    fn module(at: u32) -> Found {
        Found::Module(ModuleId(at))
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
        list.iter().map(|(pattern, target)| ((*pattern).to_owned(), vec![(*target).to_owned()])).collect()
    }

    #[test]
    fn relative_specifiers_find_sources_indexes_and_what_is_compiled() {
        let files =
            files(&["a/app.ts", "a/users.ts", "a/items/index.ts", "a/old.js", "root.ts"], Specifiers::default());
        assert_eq!(files.resolve("a/app.ts", "./users"), module(1));
        assert_eq!(files.resolve("a/app.ts", "./users.js"), module(1));
        assert_eq!(files.resolve("a/app.ts", "./items"), module(2));
        assert_eq!(files.resolve("a/items/index.ts", "../old"), module(3));
        assert_eq!(files.resolve("a/items/index.ts", ".."), Found::External("..".into()));
        assert_eq!(files.resolve("a/app.ts", "../root"), module(4));
        assert_eq!(files.resolve("root.ts", "./a/users"), module(1));
        assert_eq!(files.resolve("a/app.ts", "./none"), Found::External("./none".into()));
        assert_eq!(files.resolve("a/app.ts", "node:fs"), Found::External("fs".into()));
    }

    #[test]
    fn an_alias_that_no_configuration_explains_leads_below_the_package() {
        let package = Package {
            name: "api".into(),
            directory: "/w/api".into(),
            dependencies: vec!["express".into(), "@scope/db".into()],
            ..Package::default()
        };
        let specifiers = Specifiers { packages: vec![package], ..Specifiers::default() };
        let paths =
            ["/w/api/src/users.ts", "/w/api/src/models/index.ts", "/w/api/src/express/lib.ts", "/w/api/src/fs.ts"];
        let files = files(&paths, specifiers);
        let from = "/w/api/src/deep/app.ts";
        assert_eq!(files.resolve(from, "@/users"), module(0));
        assert_eq!(files.resolve(from, "~/users.js"), module(0));
        assert_eq!(files.resolve(from, "@models"), module(1));
        assert_eq!(files.resolve(from, "src/models"), module(1));
        assert_eq!(files.resolve(from, "express/lib"), Found::External("express/lib".into()));
        assert_eq!(files.resolve(from, "fs"), Found::External("fs".into()));
        assert_eq!(files.resolve(from, "@scope/db"), Found::External("@scope/db".into()));
    }

    #[test]
    fn paths_and_packages_lead_into_the_sources() {
        let specifiers = Specifiers {
            projects: Vec::new(),
            packages: vec![
                Package {
                    name: "@acme/shared".into(),
                    directory: "/w/shared".into(),
                    entries: vec!["./dist/index.js".into()],
                    exports: pairs(&[("server", "/w/shared/dist/server/index.js")]),
                    ..Package::default()
                },
                Package { name: "plain".into(), directory: "/w/plain".into(), ..Package::default() },
            ],
            configs: vec![PathConfig {
                directory: "/w/web".into(),
                base: Some("/w/web".into()),
                paths: pairs(&[("@/*", "/w/web/src/*"), ("@/special/*", "/w/web/other/*")]),
            }],
        };
        let files = files(
            &[
                "/w/web/src/a.ts",
                "/w/web/other/b.ts",
                "/w/shared/src/index.ts",
                "/w/shared/src/server/index.ts",
                "/w/plain/src/index.ts",
                "/w/plain/src/deep.ts",
                "/w/types/src/user.ts",
            ],
            specifiers,
        );
        let from = "/w/web/src/page.ts";
        assert_eq!(files.resolve(from, "@/a"), module(0));
        assert_eq!(files.resolve(from, "@/special/b"), module(1));
        assert_eq!(files.resolve(from, "src/a"), module(0));
        assert_eq!(files.resolve(from, "@acme/shared"), module(2));
        assert_eq!(files.resolve(from, "@acme/shared/server"), module(3));
        assert_eq!(files.resolve(from, "plain"), module(4));
        assert_eq!(files.resolve(from, "plain/deep"), module(5));
        assert_eq!(files.resolve(from, "express"), Found::External("express".into()));
        assert_eq!(files.resolve(from, "@acme/types/user"), module(6));
        assert_eq!(files.resolve(from, "@other/types/user"), Found::External("@other/types/user".into()));
    }
}

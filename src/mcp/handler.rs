//! The protocol, for whatever tools there are: both handshakes, the list, calls with progress and cancellation.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult, ErrorData, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, PromptsCapability, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, ResourcesCapability, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::watch;

#[cfg(feature = "orchestrate")]
use super::devteam;
use super::tool::{Call, Effect, Progress, Refusal, Tool};
use super::workplace::Workplace;
use super::{Server, answer};

/// What resources are written as.
const JSON: &str = "application/json";

/// One server; copies share everything.
#[derive(Clone)]
pub(super) struct Handler(Arc<Served>);

pub(super) struct Served {
    pub(super) server: Server,
    tools: Vec<Tool>,
    pub(super) place: Arc<Workplace>,
    read_only: bool,
}

impl Handler {
    pub(super) fn new(server: Server, tools: Vec<Tool>, place: Arc<Workplace>, read_only: bool) -> Handler {
        Handler(Arc::new(Served { server, tools, place, read_only }))
    }

    pub(super) fn served(&self) -> &Served {
        &self.0
    }
}

impl Served {
    fn offers(&self, tool: &Tool) -> bool {
        !self.read_only || tool.effect == Effect::Reads
    }

    /// What can be read besides: address and name.
    fn resources(&self) -> &'static [(&'static str, &'static str)] {
        match self.server {
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => &devteam::RESOURCES,
            _ => &[],
        }
    }

    fn templates(&self) -> &'static [(&'static str, &'static str)] {
        match self.server {
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => &[devteam::TEMPLATE],
            _ => &[],
        }
    }

    /// A resource as JSON; none for an address that is none.
    fn resource(&self, uri: &str) -> Result<Option<Value>, Refusal> {
        match self.server {
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => devteam::resource(&Call { place: &self.place, progress: &|_| {} }, uri),
            _ => Ok(None),
        }
    }

    /// Runs a call to its end, on a thread of its own.
    fn call(&self, at: usize, request: CallToolRequestParams, progress: &watch::Sender<Progress>) -> CallToolResult {
        let tool = &self.tools[at];
        let given = if self.offers(tool) {
            let progress = |now: Progress| {
                progress.send_replace(now);
            };
            let call = Call { place: &self.place, progress: &progress };
            tool.call(&call, request.arguments.unwrap_or_default())
        } else {
            let message = format!("this server was started with --read-only, and `{}` changes something", tool.name);
            Err(Refusal::new("read_only", message))
        };
        answer::result(&tool.output, given)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let server = self.0.server;
        let about = Implementation::new(server.title(), env!("CARGO_PKG_VERSION"));
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        if let Some(tools) = &mut capabilities.tools {
            tools.list_changed = Some(false);
        }
        if !self.0.resources().is_empty() {
            capabilities.resources = Some(ResourcesCapability::default());
        }
        ServerConfig::new(capabilities).with_server_info(about).with_instructions(server.instructions())
    }

    /// Clients of the revision of 2026 ask for prompts and resources only where they are announced, and its testers want
    /// that they may ask. Older ones are told of tools alone.
    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        info.capabilities.prompts = Some(PromptsCapability::default());
        info.capabilities.resources = Some(ResourcesCapability::default());
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = request.and_then(|it| it.cursor) {
            // All fit on the first page.
            return Err(ErrorData::invalid_params(format!("`{cursor}` is no cursor of this server"), None));
        }
        let served = &self.0;
        let tools = served.tools.iter().filter(|tool| served.offers(tool)).map(Tool::described).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// There are none, which is an answer, too.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(Vec::new()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = |it: &(&str, &str)| ResourceTemplate::new(it.0, it.1).with_mime_type(JSON);
        Ok(ListResourceTemplatesResult::with_all_items(self.0.templates().iter().map(template).collect()))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |it: &(&str, &str)| Resource::new(it.0, it.1).with_mime_type(JSON);
        Ok(ListResourcesResult::with_all_items(self.0.resources().iter().map(resource).collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (served, uri) = (self.0.clone(), request.uri.clone());
        let read = tokio::task::spawn_blocking(move || served.resource(&uri)).await;
        let failed = |why: String| ErrorData::internal_error(why, None);
        let found = read.map_err(|error| failed(error.to_string()))?.map_err(|refusal| failed(refusal.to_string()))?;
        let Some(value) = found else {
            let known: Vec<&str> = self.0.resources().iter().chain(self.0.templates()).map(|it| it.0).collect();
            let message = format!("there is no resource `{}`; there is {}", request.uri, known.join(", "));
            return Err(ErrorData::resource_not_found(message, None));
        };
        let contents = ResourceContents::text(value.to_string(), request.uri).with_mime_type(JSON);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let Some(at) = self.0.tools.iter().position(|tool| tool.name == name) else {
            let names: Vec<&str> = self.0.tools.iter().map(|tool| tool.name).collect();
            let message = format!("unknown tool `{name}`; there are {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let (progress, mut changes) = watch::channel(Progress::default());
        let served = self.0.clone();
        let mut running = tokio::task::spawn_blocking(move || served.call(at, request, &progress));
        let token = context.meta.get_progress_token();
        loop {
            tokio::select! {
                done = &mut running => {
                    let result = done.unwrap_or_else(|_| {
                        let text = format!("internal: `{name}` stopped on this input; please report it with the input");
                        CallToolResult::error(vec![ContentBlock::text(text)])
                    });
                    return Ok(CallToolResponse::from(result));
                }
                () = context.ct.cancelled() => {
                    // One that waits for a thread never starts. What runs is short, or makes the next answer quick.
                    running.abort();
                    return Err(ErrorData::internal_error("cancelled", None));
                }
                Ok(()) = changes.changed() => {
                    let now = changes.borrow_and_update().clone();
                    if let Some(token) = &token {
                        let mut told = ProgressNotificationParam::new(token.clone(), f64::from(now.done));
                        told.total = now.total.map(f64::from);
                        told.message = Some(now.what).filter(|it| !it.is_empty());
                        // Who is gone needs no telling.
                        let _ = context.peer.notify_progress(told).await;
                    }
                }
            }
        }
    }
}

//! The protocol, for whatever tools there are: both handshakes, the list, calls with progress and cancellation.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult, ErrorData, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, PromptsCapability, ResourcesCapability, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::watch;

use super::tool::{Call, Effect, Progress, Refusal, Tool};
use super::workplace::Workplace;
use super::{Server, answer};

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
        Ok(ListResourceTemplatesResult::with_all_items(Vec::new()))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(Vec::new()))
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

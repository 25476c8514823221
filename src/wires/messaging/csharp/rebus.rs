//! Rebus: `IBus.Publish`, `IHandleMessages<T>`.

use super::typed::{Bus, bus_library};
use crate::languages::csharp::schema::Serialiser;

static BUS: Bus = Bus {
    name: "Rebus",
    senders: &["IBus", "IAsyncBus", "ISyncBus"],
    sends: &["Publish", "Send", "SendLocal", "Reply"],
    chains: is_configured,
    makes: |path| is_configured(path) && path.ends_with(".Start"),
    members: &[("BuiltinHandlerActivator", "Bus"), ("IBus", "Advanced"), ("IBus", "SyncBus")],
    handlers: &["IHandleMessages", "IAmInitiatedBy"],
    machines: &[],
    events: &[],
    serialiser: Serialiser::Plain,
};

bus_library!(REBUS, BUS, package: "Rebus");

/// `Configure.With(…)`, `Configure.OneWayClient()`, and what follows them.
fn is_configured(path: &str) -> bool {
    path.contains("Configure.With") || path.contains("Configure.OneWayClient")
}

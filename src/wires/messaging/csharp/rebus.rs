//! Rebus: `IBus.Publish`, `IHandleMessages<T>`.

use super::typed::{Bus, bus_library};
use crate::languages::csharp::schema::Serialiser;

static BUS: Bus = Bus {
    name: "Rebus",
    senders: &["IBus", "IAsyncBus", "ISyncBus"],
    sends: &["Publish", "Send", "SendLocal", "Reply"],
    handlers: &["IHandleMessages", "IAmInitiatedBy"],
    machines: &[],
    events: &[],
    serialiser: Serialiser::Plain,
};

bus_library!(REBUS, BUS, package: "Rebus");

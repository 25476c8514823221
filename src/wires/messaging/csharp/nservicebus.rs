//! NServiceBus: `IMessageSession.Publish`, `IHandleMessages<T>`.

use super::typed::{Bus, bus_library};
use crate::languages::csharp::schema::Serialiser;

static BUS: Bus = Bus {
    name: "NServiceBus",
    senders: &[
        "IMessageSession",
        "IEndpointInstance",
        "IMessageHandlerContext",
        "IPipelineContext",
        "ITransactionalSession",
    ],
    sends: &["Publish", "Send", "SendLocal", "Reply"],
    chains: |path| path.ends_with("Endpoint.Create"),
    makes: |path| path.ends_with("Endpoint.Start") || path.ends_with("Endpoint.Create().Start"),
    members: &[],
    handlers: &["IHandleMessages", "IAmStartedByMessages"],
    machines: &[],
    events: &[],
    serialiser: Serialiser::Plain,
};

bus_library!(NSERVICEBUS, BUS, package: "NServiceBus");

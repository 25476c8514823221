//! MassTransit: `IPublishEndpoint.Publish`, `ISendEndpoint.Send`, `IConsumer<T>`.

use super::typed::{Bus, bus_library};
use crate::languages::csharp::schema::Serialiser;

static BUS: Bus = Bus {
    name: "MassTransit",
    senders: &[
        "IPublishEndpoint",
        "ISendEndpoint",
        "ISendEndpointProvider",
        "IBus",
        "IBusControl",
        "ConsumeContext",
        "GetSendEndpoint",
        "IMessageScheduler",
        "BehaviorContext",
        "ITopicProducer",
        "IRequestClient",
    ],
    sends: &["Publish", "Send", "RespondAsync", "Respond", "Produce", "GetResponse", "PublishBatch"],
    chains: |_| false,
    makes: |path| path.contains("Bus.Factory.CreateUsing"),
    members: &[],
    handlers: &["IConsumer"],
    machines: &["MassTransitStateMachine"],
    events: &["Event", "Schedule", "Request"],
    serialiser: Serialiser::Controllers,
};

bus_library!(MASS_TRANSIT, BUS, package: "MassTransit");

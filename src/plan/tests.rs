//! Plans of requirements, as documents and back.

use super::*;
use crate::architect::decompose;

const SHOP: &str = include_str!("../../fixtures/shop/REQUIREMENTS.md");

fn plan() -> Plan {
    let parts = decompose(SHOP);
    let contracts = contracts(&parts);
    let services = services(&parts, &contracts, &[]);
    tasks("Shop", services, &contracts, &parts)
}

fn pending<T>(_: &T) -> &'static str {
    "PENDING"
}

#[test]
fn requirements_become_tasks_of_each_service() {
    let plan = plan();
    let of = |service: &str| -> Vec<Kind> {
        plan.tasks.iter().filter(|it| it.service == service).map(|it| it.kind).collect()
    };
    let last = [Kind::Operations, Kind::Consumers, Kind::Tests, Kind::Deployment];
    assert_eq!(of("order-service"), [&[Kind::Model, Kind::Events][..], &last].concat());
    assert_eq!(of("notice-service"), [&[Kind::Model][..], &last].concat());
    let operations = plan.tasks.iter().find(|it| it.kind == Kind::Operations).expect("there is one");
    assert!(operations.criteria.iter().any(|it| it.contains("POST /orders")), "{:?}", operations.criteria);
    assert_eq!(operations.keeps, ["order-service-api"]);
    let consumers = plan.tasks.iter().find(|it| it.kind == Kind::Consumers).expect("there is one");
    assert_eq!(consumers.keeps, ["order-service-api", "order-service-events"]);
}

#[test]
fn services_work_side_by_side_and_tasks_of_one_do_not() {
    let plan = plan();
    let waves = waves(&plan).expect("nothing waits in a circle");
    assert_eq!(waves[0].len(), 3, "all services begin at once");
    for wave in &waves {
        for (at, one) in wave.iter().enumerate() {
            for other in &wave[at + 1..] {
                assert!(!plan.tasks[*one].scope.overlaps(&plan.tasks[*other].scope));
            }
        }
    }
    assert_eq!(waves.iter().flatten().count(), plan.tasks.len());
}

#[test]
fn what_is_written_is_read_back() {
    let plan = plan();
    let (master, list) = (master_plan(&plan, &pending), task_list(&plan, &pending));
    let mut read = read("Shop", plan.services.clone(), &master, &list).expect("our own documents are read");
    assert!(read.tasks.iter().all(|it| it.line > 0));
    read.tasks.iter_mut().for_each(|it| it.line = 0);
    assert_eq!(read, plan);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    let plan = plan();
    let master = master_plan(&plan, &pending);
    let list = task_list(&plan, &pending);
    let wrong = |change: (&str, &str)| {
        let list = list.replacen(change.0, change.1, 1);
        assert!(list.contains(change.1));
        read("Shop", plan.services.clone(), &master, &list).expect_err("a mistake is no plan").message
    };
    assert_eq!(wrong(("- Kind: model", "- Kind: modle")), "an unknown kind of task");
    assert!(wrong(("- Service: order-service", "- Service: nobody")).contains("no service `nobody`"));
    assert!(wrong(("- Dependencies: TASK-001", "- Dependencies: TASK-999")).contains("TASK-999"));
    assert!(wrong(("- Dependencies: none", "- Dependencies: TASK-003")).contains("TASK-001"));
    assert!(wrong(("- Files: services/order-service/**", "- Files: ../x")).contains("out of the project"));
    assert!(wrong(("- Complexity: ", "- Complexity: 9")).contains("1 to 14"));
    assert!(wrong(("- Parent: M1", "- Boss: M1")).contains("`boss` is no field"));
    assert!(wrong(("### TASK-002", "### TASK-001")).contains("twice"));
}

#[test]
fn a_circle_is_named_in_the_order_of_work() {
    let task = |id: &str, needs: &[&str]| Task {
        id: id.to_owned(),
        title: String::new(),
        parent: String::new(),
        service: String::new(),
        kind: Kind::Other,
        description: String::new(),
        criteria: Vec::new(),
        scope: Scope { allowed: vec![format!("{id}/**")], forbidden: Vec::new() },
        depends_on: needs.iter().map(|it| (*it).to_owned()).collect(),
        keeps: Vec::new(),
        complexity: 1,
        line: 0,
    };
    let tasks = vec![task("d", &[]), task("a", &["d", "c"]), task("b", &["a"]), task("c", &["b"])];
    let plan = Plan { tasks, ..Plan::default() };
    assert_eq!(waves(&plan).expect_err("a circle").to_string(), "tasks wait for each other: a → b → c → a");
}

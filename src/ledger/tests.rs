//! The cap holds whatever happens.

use proptest::prelude::*;

use super::*;

fn usage(model: &str, input: u64, output: u64) -> Usage {
    Usage { model: model.to_owned(), input, output, ..Usage::default() }
}

#[test]
fn tokens_cost_what_the_configuration_says() {
    let mut prices = Prices::default();
    prices.0.insert("small".to_owned(), Price { input: 1.0, output: 5.0, ..Price::default() });
    assert_eq!(prices.cost(&usage("small", 1_000_000, 200_000)), Ok(Usd(2_000_000)));
    assert_eq!(prices.cost(&usage("small-20260101", 1, 0)), Ok(Usd(1)));
    assert!(prices.cost(&usage("large", 1, 1)).is_err(), "no price is no zero");
}

#[test]
fn a_warning_is_due_once() {
    let mut ledger = Ledger::new(Some(Usd(100)));
    ledger.settle("a", 1, &[(usage("m", 1, 1), Usd(79))]);
    assert!(!ledger.warning_is_due());
    ledger.settle("a", 2, &[(usage("m", 1, 1), Usd(1))]);
    assert!(ledger.warning_is_due());
    ledger.warned = true;
    assert!(!ledger.warning_is_due());
}

#[test]
fn without_a_cap_everything_may_start() {
    assert_eq!(Ledger::new(None).allowance(3, Usd(10)), Some(None));
    assert_eq!(Ledger::new(Some(Usd(0))).allowance(1, Usd(0)), None, "nothing is no budget");
}

proptest! {
    /// Attempts that spend at most what they were granted never pass the cap.
    #[test]
    fn the_cap_holds(cap in 0_u64..10_000, least in 0_u64..500, steps in prop::collection::vec((any::<bool>(), 1_usize..5, 0_u64..100), 0..200)) {
        let mut ledger = Ledger::new(Some(Usd(cap)));
        let mut running: Vec<(String, Usd)> = Vec::new();
        let mut before = Usd(0);
        for (at, (start, slots, percent)) in steps.into_iter().enumerate() {
            if start {
                if let Some(Some(amount)) = ledger.allowance(slots, Usd(least)) {
                    prop_assert!(amount >= Usd(least));
                    ledger.grant(&format!("t{at}"), amount);
                    running.push((format!("t{at}"), amount));
                }
            } else if let Some((task, amount)) = running.pop() {
                ledger.settle(&task, 1, &[(usage("m", 1, 1), Usd(amount.0 * percent / 100))]);
            }
            let granted: Usd = running.iter().map(|it| it.1).sum();
            prop_assert!(ledger.spent() + granted <= Usd(cap));
            prop_assert!(ledger.spent() >= before, "what was spent stays spent");
            before = ledger.spent();
        }
    }
}

#[test]
fn an_attempt_that_ran_out_is_given_more_or_nothing() {
    let mut ledger = Ledger::new(Some(Usd(1000)));
    let mut allowances = Vec::new();
    while let Some(Some(amount)) = ledger.allowance(8, Usd(10)) {
        assert!(allowances.len() < 100, "the same again does not end: {allowances:?}");
        allowances.push(amount.0);
        ledger.grant("a", amount);
        ledger.ran_out("a");
        ledger.settle("a", 1, &[]);
    }
    assert_eq!(allowances, [125, 250, 500, 1000]);
}

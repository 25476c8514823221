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
fn tokens_that_are_kept_are_never_free_by_silence() {
    let text = |rest: &str| format!("[prices.m]\ninput = 2\noutput = 5\n{rest}");
    let prices = |rest: &str| crate::settings::parse("treaty.toml", &text(rest)).expect("fits").prices;
    let read = Usage { cache_read: 1_000_000, ..usage("m", 0, 0) };
    let write = Usage { cache_write: 1_000_000, ..usage("m", 0, 0) };
    assert_eq!(prices("").cost(&read), Ok(Usd(2_000_000)), "as if read anew");
    assert_eq!(prices("").cost(&write), Err(UnknownPrice::CacheWrite("m".to_owned())));
    assert_eq!(prices("").least(&write), Usd(2_000_000));
    assert_eq!(prices("cache-read = 0.2\ncache-write = 3").cost(&read), Ok(Usd(200_000)));
    assert_eq!(prices("cache-write = 3").cost(&write), Ok(Usd(3_000_000)));
    assert_eq!(prices("cache-write = 0").cost(&write), Ok(Usd(0)), "nothing, where that is said");
    assert!(prices("").know_all_of("m").is_err() && prices("cache-write = 3").know_all_of("m").is_ok());
    let mut local = Prices::default();
    local.0.insert("m".to_owned(), Price::default());
    assert_eq!(local.cost(&write), Ok(Usd(0)), "a model of one's own");
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
    /// No answer costs more than what is set aside for it.
    #[test]
    fn the_dearest_answer_is_the_dearest(
        input in 0_u64..100_000, output in 0_u64..10_000, read in 0_u64..100_000, write in 0_u64..100_000,
        prices in prop::array::uniform4(0.0_f64..100.0), named in prop::array::uniform2(any::<bool>()),
    ) {
        let price = Price {
            input: prices[0],
            output: prices[1],
            cache_read: named[0].then_some(prices[2]),
            cache_write: named[1].then_some(prices[3]),
        };
        let usage = Usage { cache_read: read, cache_write: write, ..usage("m", input, output) };
        let all = Prices([("m".to_owned(), price)].into());
        let dearest = price.dearest(input + read + write, output);
        prop_assert!(all.least(&usage) <= dearest);
        if let Ok(cost) = all.cost(&usage) {
            prop_assert!(cost <= dearest);
        }
    }

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

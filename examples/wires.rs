use treaty::{scan, rules, cases, project::Answer};
use std::collections::BTreeMap;
fn main(){
  let path=std::env::args().nth(1).unwrap();
  let r=scan::scan(&scan::Options{paths:vec![path.into()],..Default::default()}, &rules::RuleSet::default(), &scan::Silent).unwrap();
  let p=&r.project;
  for s in &p.services { if s.operations.len()+s.calls.len()>0 {println!("# {} {} ops {} calls {} messages {}", s.name, s.root, s.operations.len(), s.calls.len(), s.messages.len());} }
  for (what,get) in [("code",(|a: &treaty::project::Asked| a.code.clone()) as fn(&treaty::project::Asked)->Answer),("contract",|a|a.contract.clone())] {
    let mut n:BTreeMap<String,usize>=BTreeMap::new();
    for a in &p.asked { let k=format!("{} -> {}", p.services[a.service].name, match get(a) { Answer::Foreign=>"foreign".into(), Answer::Unknown(w)=>format!("unknown: {w}"), Answer::Found{sure,..}=>format!("found sure={sure}"), Answer::OtherMethod{doubt,..}=>format!("other method {doubt:?}"), Answer::Missing{doubt,..}=>format!("missing {doubt:?}")}); *n.entry(k).or_default()+=1; 
      if std::env::args().nth(2).as_deref()==Some("v") && what=="code" { let c=&p.services[a.service].calls[a.call]; println!("  {}:{} {:?} {} => {:?}", p.sources.path(c.span), p.sources.positions(c.span).0.line, c.method.as_ref().ok(), c.url.as_ref().map(|u| format!("{:?} {} {}",u.host,u.whole,u.path.text())).unwrap_or_default(), get(a)); } }
    for (k,v) in n { println!("## {what}: {v:4} {k}"); }
  }
  if std::env::args().nth(2).as_deref()==Some("w") { print!("{}", cases::render_wires(p)); }
  if std::env::args().nth(2).as_deref()==Some("f") { print!("{}", cases::render_facts(p)); }
}

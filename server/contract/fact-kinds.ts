// Apart from the shapes of the control API: the dashboard reads it when it starts.

/** What the facts of a sandbox are about. */
export const factKinds = [
  'sign-ins',
  'tokens',
  'requests',
  'events',
  'deliveries',
  'jobs',
  'clock',
  'faults',
  'sandbox',
] as const
export type FactKind = (typeof factKinds)[number]

/** By the first part of a fact's name: `token` of `token.issued`. What is not named is about the sandbox. */
const kindsOfFacts: ReadonlyMap<string, FactKind> = new Map<string, FactKind>([
  ['session', 'sign-ins'],
  ['authorization', 'sign-ins'],
  ['consent', 'sign-ins'],
  ['device', 'sign-ins'],
  ['token', 'tokens'],
  ['request', 'requests'],
  ['hub', 'events'],
  ['delivery', 'deliveries'],
  ['webhook', 'deliveries'],
  ['job', 'jobs'],
  ['clock', 'clock'],
  ['fault', 'faults'],
  ['barrier', 'faults'],
])

export function kindOfFact(type: string): FactKind {
  return kindsOfFacts.get(type.split('.', 1)[0] ?? '') ?? 'sandbox'
}

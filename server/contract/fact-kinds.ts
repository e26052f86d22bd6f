// In a file of its own because the dashboard loads it at start.

/** Kinds of facts. */
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

/** Kinds by the first part of a fact's name, such as `token` of `token.issued`. The default is `sandbox`. */
const kindsOfFacts: ReadonlyMap<string, FactKind> = new Map<string, FactKind>([
  ['session', 'sign-ins'],
  ['authorization', 'sign-ins'],
  ['consent', 'sign-ins'],
  ['device', 'sign-ins'],
  ['token', 'tokens'],
  ['request', 'requests'],
  ['hub', 'events'],
  ['access', 'events'],
  ['collection', 'events'],
  ['delivery', 'deliveries'],
  ['webhook', 'deliveries'],
  ['job', 'jobs'],
  ['schedule', 'jobs'],
  ['clock', 'clock'],
  ['fault', 'faults'],
  ['barrier', 'faults'],
])

export function kindOfFact(type: string): FactKind {
  return kindsOfFacts.get(type.split('.', 1)[0] ?? '') ?? 'sandbox'
}

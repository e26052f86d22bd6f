import type { CompiledQuery } from './compile-query.ts'

/** Deliveries that are listed on request only. */
export interface DeliveryExtent {
  skipped: boolean
  /** Attempts of audits. */
  audits: boolean
}

/** Returns what a query of deliveries requests by naming it: `status:skipped`, `source:audit`. */
export function extentOf({ terms }: Pick<CompiledQuery, 'terms'>): DeliveryExtent {
  const named = terms.filter(({ key, negated }) => key !== undefined && !negated)
  const has = (wanted: string, of = named) =>
    of.some(({ values }) => values.some(({ text }) => text.toLowerCase() === wanted))
  return {
    skipped: has('skipped'),
    audits: has(
      'audit',
      named.filter(({ key }) => key === 'source'),
    ),
  }
}

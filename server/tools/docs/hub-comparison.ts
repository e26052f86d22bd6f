import { readFileSync } from 'node:fs'

/** Counts of the last comparison with the OpenAPI document of the Hub. */
export interface HubComparison {
  /** Month of the comparison: `2026-08`. */
  month: string
  operations: number
  /** Operations of these that the sandbox has. */
  emulated: number
  /** Parameters and members that differ, each with a reason in the list of known differences. */
  onPurpose: number
}

/** File that `npm run docs:hub` writes. */
export const comparisonFile = new URL('hub-comparison.json', import.meta.url)

export function readComparison(): HubComparison {
  return JSON.parse(readFileSync(comparisonFile, 'utf8')) as HubComparison
}

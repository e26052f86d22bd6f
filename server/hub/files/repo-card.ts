import { isObject } from '../../core/is-object.ts'
import { nextTurn } from '../../core/timers.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import { readmePath } from '../rules/readme-check.ts'
import { readmeHeader } from '../rules/readme-metadata.ts'
import { findPath } from './trees.ts'

/** Parses YAML; invalid YAML gives a card without data. */
export type ReadCard = (yaml: string) => unknown

/** Metadata at the top of a README; shared and never changed. */
export type Card = Readonly<Record<string, unknown>>

/** Longer metadata is ignored. */
const longestCard = 64 * 1024

interface ReadOnce {
  readonly card: Card | undefined
  /** Bytes of its source text. */
  readonly bytes: number
}

/** Approximate memory of a parsed card relative to its text. */
const parsedFactor = 8

const cards: Conclusion<ReadOnce> = { name: 'card', sizeOf: ({ bytes }) => bytes * parsedFactor }

/**
 * Returns the card of a repo at a commit. Lists need the cards of all repos, so each is parsed once and cached.
 * @param treeId of the commit
 */
export function repoCard(
  objects: ObjectStore,
  treeId: string,
  readCard: ReadCard,
): Card | undefined {
  const known = objects.recall(cards, treeId)
  if (known !== undefined) return known.card
  const yaml = readmeHeader(readReadme(objects, treeId))
  const card = yaml === undefined ? undefined : cardOf(readCard(yaml))
  objects.remember(cards, treeId, { card, bytes: yaml?.length ?? 0 })
  return card
}

/**
 * Looks at repos one after the other. A long card takes 70 ms to parse, and a list may need those of all repos, so other
 * requests get their turn after each.
 */
export async function mapWithCards<T, R>(
  repos: readonly T[],
  readCard: ReadCard,
  look: (repo: T, readCard: ReadCard) => R,
): Promise<R[]> {
  let hasParsed = false
  const noting: ReadCard = (yaml) => {
    hasParsed = true
    return readCard(yaml)
  }
  const results: R[] = []
  for (const repo of repos) {
    hasParsed = false
    results.push(look(repo, noting))
    if (hasParsed) await nextTurn()
  }
  return results
}

/** Reads the beginning of a commit's README, as far as anything uses it; empty without one. */
export function readReadme(objects: ObjectStore, treeId: string): string {
  const readme = findPath(objects, treeId, readmePath)
  if (readme?.type !== 'file') return ''
  return readBlob(objects, readme.oid)
    .toString('utf8', 0, 4 * longestCard)
    .slice(0, longestCard)
}

function cardOf(data: unknown): Card | undefined {
  return isObject(data) ? data : undefined
}

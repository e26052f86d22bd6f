import { isObject } from '../../core/is-object.ts'
import type { Conclusion } from '../../objects/object-store.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import { readmePath } from '../rules/readme-check.ts'
import { readmeHeader } from '../rules/readme-metadata.ts'
import { findPath } from './trees.ts'

/** Reads YAML; a text that is none is a card without data. */
export type ReadCard = (yaml: string) => unknown

/** The metadata at the top of a README. Many answers share one: nobody changes it. */
export type Card = Readonly<Record<string, unknown>>

/** Longer metadata is none. */
const longestCard = 64 * 1024

interface ReadOnce {
  readonly card: Card | undefined
  /** Bytes of the text that it was read from. */
  readonly bytes: number
}

/** Objects of a parsed text take about so many times its memory. */
const parsedFactor = 8

const cards: Conclusion<ReadOnce> = { name: 'card', sizeOf: ({ bytes }) => bytes * parsedFactor }

/**
 * The card of a repo at one of its commits. Lists ask all repos for it again and again, so it is read and parsed once.
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

/** As much of the README of a commit as anything is read from; empty where there is none. */
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

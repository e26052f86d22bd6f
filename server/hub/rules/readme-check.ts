import type { ValidateYamlAnswer } from '../../contract/hub-files.ts'
import type { RepoType } from '../../contract/words/hub.ts'
import type { SteppedWork } from '../../core/slices.ts'
import { readmeHeader } from './readme-metadata.ts'
import { problemsOfMetadata } from './readme-rules.ts'

/** Reads YAML up to {@link metadataLimits}, step by step; loaded on first use. */
export type ReadYaml = (text: string) => SteppedWork<{ value: unknown } | { problem: string }>

/** Limits of a README's metadata. Large cards with the results of many benchmarks need half of it. */
export const metadataLimits = { mostBytes: 256 * 1024, mostTokens: 150_000 }

/** Most bytes of metadata in all READMEs of a push: parsing takes longer than anything else about a push. */
export const mostPushedMetadata = 2 * metadataLimits.mostBytes

/** Returns the bytes of a README's metadata. */
export function bytesOfMetadata(content: string): number {
  return Buffer.byteLength(readmeHeader(content) ?? '')
}

/** Path of the README of a repo. */
export const readmePath = 'README.md'

/** Returns the problems for which the hub refuses a README. */
export function* readmeProblems(
  readYaml: ReadYaml,
  readme: { content: string; repoType: RepoType },
): SteppedWork<string[]> {
  return (yield* checkReadme(readYaml, readme)).errors.map(({ message }) => message)
}

/** Checks the metadata of a README as the hub does. Missing metadata is only a warning. */
export function* checkReadme(
  readYaml: ReadYaml,
  { content, repoType }: { content: string; repoType: RepoType },
): SteppedWork<ValidateYamlAnswer> {
  const header = readmeHeader(content)
  if (header === undefined || header.trim() === '') {
    return { errors: [], warnings: [{ message: 'empty or missing yaml metadata in repo card' }] }
  }
  const parsed = yield* readYaml(header)
  const errors = 'problem' in parsed ? [parsed.problem] : problemsOfMetadata(parsed.value, repoType)
  return { errors: errors.map((message) => ({ message })), warnings: [] }
}

import { suggestion } from '../../contract/suggestion.ts'
import { type AnyRepoType, anyRepoTypes } from '../../contract/words/hub-words.ts'
import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { findRepo, findReposOfAnyType } from './find-repo.ts'

// Repos by the names that people type: with or without the type.

/**
 * Finds a repo by name.
 * @throws {Refusal} `not_found`; `conflict` with the candidates for an ambiguous name
 */
export function requireRepoNamed(deps: HubDeps, text: string): Repo {
  const found = findReposNamed(deps, text)
  const [repo] = found
  if (repo === undefined) {
    throw refusalOfRepo(
      'not_found',
      `There is no repo ${text}${suggestion(text, repoNames(deps, text))}.`,
    )
  }
  if (found.length === 1) return repo
  const candidates = found.map(({ type, name }) => `${type}s/${name}`)
  throw refusalOfRepo('conflict', `${text} is ambiguous: ${candidates.join(', ')}.`)
}

/** Returns repo names in the form of `text`: with or without the type. */
function* repoNames({ state }: HubDeps, text: string): Iterable<string> {
  const { type } = parseRepoTarget(text)
  for (const repo of state.repos.values()) {
    if (type === undefined) yield repo.name
    else yield `${repo.type}s/${repo.name}`
  }
}

/** Finds the repos with this name: one if it says the type. */
export function findReposNamed(deps: HubDeps, text: string): Repo[] {
  const { type, name } = parseRepoTarget(text)
  if (type === undefined) return findReposOfAnyType(deps, name)
  const found = findRepo(deps, type, name)
  return found === undefined ? [] : [found.repo]
}

/** `datasets/acme/corpus` → dataset, acme/corpus */
export function parseRepoTarget(text: string): { type?: AnyRepoType; name: string } {
  const type = anyRepoTypes.find((candidate) => text.startsWith(`${candidate}s/`))
  const isPrefix = type !== undefined && text.split('/').length === 3
  return isPrefix ? { type, name: text.slice(type.length + 2) } : { name: text }
}

/** Creates a refusal of the name of a repo. */
export function refusalOfRepo(code: RefusalCode, message: string): Refusal {
  return new Refusal(code, message, { issues: [{ path: 'repo', message }] })
}

import {
  documentedScopes,
  isScope,
  type Scope,
  scopes as hubScopes,
} from '../../contract/scopes.ts'
import { Refusal } from '../../core/refusal.ts'
import { suggestion } from '../../contract/suggestion.ts'
import type { App } from '../../store/entities/oauth-entities.ts'

/**
 * Splits a `scope` parameter (RFC 6749 §3.3) and drops repetitions; order is kept.
 */
export function parseScope(text: string): string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))]
}

/** Scope names, sorted by {@link readScopes}. */
export interface NamedScopes {
  /** Scopes of the Hub, hidden ones included. Absent: nothing was sent, so the default applies. */
  readonly known?: Scope[]
  /** Left out, since the Hub has no such scope (OpenID Connect Core §3.1.2.1). */
  readonly unknown: string[]
}

/**
 * The rule for scope names, the same for registrations, metadata documents, authorization and device requests, the
 * control API and fixtures: names of the Hub count, hidden ones too, and others are left out.
 * @param named a `scope` parameter, or a list of settings
 */
export function readScopes(named: string | readonly string[] | undefined): NamedScopes {
  if (named === undefined) return { unknown: [] }
  const names = typeof named === 'string' ? parseScope(named) : [...new Set(named)]
  return { known: names.filter(isScope), unknown: names.filter((name) => !isScope(name)) }
}

/**
 * Returns what is wrong with scopes of which none is known: leaving them out would grant a default that nobody asked for. An
 * empty list of settings is a choice.
 */
export function scopeProblem(named: string | readonly string[] | undefined): string | undefined {
  const { known, unknown } = readScopes(named)
  if (known === undefined || known.length > 0) return undefined
  if (unknown.length > 0) return unknownScopes(unknown)
  return typeof named === 'string' ? 'The scope parameter names no scope' : undefined
}

/**
 * Reads a `scope` parameter as {@link readScopes} does.
 * @throws {Refusal} `invalid_scope` when it names no known scope
 */
export function readScopeParameter(named: string | undefined): NamedScopes {
  const problem = scopeProblem(named)
  if (problem === undefined) return readScopes(named)
  throw new Refusal('invalid_scope', `${problem}.`, {
    detail: `scopes of the Hub: ${documentedScopes.join(' ')}`,
  })
}

/** Characters of unknown names in a remark: a request can name thousands. */
const longestRemark = 200

/** Reports names that were left out; `undefined` when there is none. */
export function unknownScopesRemark(unknown: readonly string[]): string | undefined {
  return unknown.length === 0 ? undefined : `${unknownScopes(unknown)}: left out.`
}

function unknownScopes(unknown: readonly string[]): string {
  const [name] = unknown
  const hint = unknown.length === 1 ? suggestion(name, Object.keys(hubScopes)) : ''
  const names = unknown.join(', ')
  const shown = names.length > longestRemark ? `${names.slice(0, longestRemark)}...` : names
  return `Unknown scope ${shown}${hint}`
}

type ScopedApp = Pick<App, 'scopes' | 'defaultScopes' | 'origin'>

/** Scopes in the settings of an app: a request that names none gets them. */
export function settingsScopes(app: Pick<App, 'scopes' | 'defaultScopes'>): readonly string[] {
  return app.defaultScopes ?? app.scopes
}

/** Instruction for adding a scope, by the origin of the app. */
const howToAdd: Record<App['origin'], string> = {
  settings: "Add it in the app's settings.",
  registration: 'Register the app again with it in scope (RFC 7591).',
  'metadata-document': "Add it to the scope of the app's metadata document.",
  space: 'Add it to hf_oauth_scopes in the README of the Space.',
}

export interface RequestedScopes {
  scopes: string[]
  /** For the request log: names that were left out, and scopes that the app is not configured with. */
  remark?: string
}

/**
 * Scopes of a request that a user answers. The app's settings are the default for a request that names none; a user
 * may allow more.
 * @param requested the `scope` parameter
 * @throws {Refusal} `invalid_scope` without a known scope, and under `strict` for one that the app is not configured with
 * @see RFC 6749 §3.3
 */
export function requestedScopes(
  requested: string | undefined,
  app: ScopedApp,
  { strict }: { strict: boolean },
): RequestedScopes {
  const { known = settingsScopes(app), unknown } = readScopeParameter(requested)
  const beyond = known.filter((name) => !app.scopes.includes(name))
  if (strict) refuseBeyond(beyond, app)
  const remarks = [
    unknownScopesRemark(unknown) ?? [],
    beyond.length === 0
      ? []
      : `Scope ${beyond.join(', ')} is not in the app's settings: --strict and token exchange refuse it.`,
  ].flat()
  return { scopes: [...known], ...(remarks.length === 0 ? {} : { remark: remarks.join(' ') }) }
}

/**
 * Scopes of a token exchange, which no user answers: the app gets what it is configured with.
 * @throws {Refusal} `invalid_scope` naming each scope that is unknown or that the app is not configured with
 * @see RFC 8693 §2.1
 */
export function exchangedScopes(requested: string | undefined, app: ScopedApp): string[] {
  const { known, unknown } = readScopeParameter(requested)
  if (known === undefined) return [...settingsScopes(app)]
  if (unknown.length > 0) {
    throw new Refusal('invalid_scope', `Unknown scope: ${unknown.join(', ')}.`, {
      detail: `scopes of the app: ${app.scopes.join(' ') || 'none'}`,
    })
  }
  refuseBeyond(
    known.filter((name) => !app.scopes.includes(name)),
    app,
  )
  return known
}

function refuseBeyond(beyond: readonly string[], app: ScopedApp): void {
  if (beyond.length === 0) return
  throw new Refusal(
    'invalid_scope',
    `The app is not configured with the scope ${beyond.join(', ')}. ${howToAdd[app.origin]}`,
    { detail: `scopes of the app: ${app.scopes.join(' ') || 'none'}` },
  )
}

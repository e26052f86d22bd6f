import type { FastifyRequest } from 'fastify'
import type { XetTokenResponse } from '../../contract/hub-xet.ts'
import { encodeText } from '../../core/encode-text.ts'
import type { XetGrant } from '../xet/xet-tokens.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubServices } from '../services.ts'

/** Grants a token for the Xet storage, and notes which transfer the request begins. */
export function grantXet(
  { xet }: Pick<HubServices, 'xet'>,
  request: FastifyRequest,
  grant: XetGrant,
): XetTokenResponse {
  const { token, until, transfer } = xet.grant(grant)
  request.transfer = { id: transfer, right: grant.right }
  return {
    casUrl: `${request.storageRoot}${xetStoragePath(xet.storage())}`,
    accessToken: token,
    exp: Math.floor(until / 1000),
  }
}

/** Returns a token as headers. */
export function xetHeaders({ casUrl, accessToken, exp }: XetTokenResponse): Record<string, string> {
  return {
    'X-Xet-Cas-Url': casUrl,
    'X-Xet-Access-Token': accessToken,
    'X-Xet-Token-Expiration': String(exp),
  }
}

/** Reads the token of a request to the Xet storage (RFC 6750, section 2.1). */
export function bearerToken({ authorization = '' }: FastifyRequest['headers']): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}

/** Returns the path of the Xet storage. On the hub it is another server. */
export function xetStoragePath(storage: string): string {
  return `/api/xet/${storage}`
}

/**
 * Returns the path at which a client gets a token for a repo.
 * @param revision absent = for a future pull request; buckets have none
 */
export function xetTokenPath(
  { type, name }: Pick<Repo, 'type' | 'name'>,
  right: XetGrant['right'],
  revision: string | undefined,
): string {
  const bare = `/api/${type}s/${name}/xet-${right}-token`
  if (type === 'bucket') return bare
  const path = `${bare}/`
  return revision === undefined ? `${path}main?create_pr=1` : `${path}${encodeText(revision)}`
}

/** Where a client gets a file in chunks. */
export interface XetPlaces {
  /** Hash of the chunks. */
  readonly hash: string
  /** URL of a token to read. */
  readonly refreshUrl: string
  /** URL of the list of chunks. */
  readonly reconstructionUrl: string
}

/**
 * Finds where a large file is in chunks.
 * @returns `undefined` when it did not come by Xet
 */
export function findXetPlaces(
  { settings, objects, xet }: Pick<HubServices, 'settings' | 'objects' | 'xet'>,
  { root, storageRoot }: Pick<FastifyRequest, 'root' | 'storageRoot'>,
  { repo, revision, oid }: { repo: Repo; revision?: string; oid: string },
): XetPlaces | undefined {
  const usesXet = settings.largeFiles === 'xet' || repo.type === 'bucket'
  const file = usesXet ? objects.lfs.xetFile(oid) : undefined
  if (file === undefined) return undefined
  const { hash } = file
  const storage = `${storageRoot}${xetStoragePath(xet.storage())}`
  return {
    hash,
    refreshUrl: `${root}${xetTokenPath(repo, 'read', revision)}`,
    reconstructionUrl: `${storage}/v1/reconstructions/${hash}`,
  }
}

/**
 * Returns the headers by which Xet clients get a file in chunks.
 * @see https://huggingface.co/docs/xet/file-id
 */
export function xetFileHeaders(places: XetPlaces): Record<string, string> {
  const { hash, refreshUrl, reconstructionUrl } = places
  const links = [`<${refreshUrl}>; rel="xet-auth"`]
  links.push(`<${reconstructionUrl}>; rel="xet-reconstruction-info"`)
  return { 'x-xet-hash': hash, link: links.join(', ') }
}

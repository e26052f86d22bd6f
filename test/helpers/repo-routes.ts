import { lfsMediaType } from '../../server/contract/hub-lfs.ts'

/** A request to a repo that does what its route is for. */
export interface RepoRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path, with `{R}` for the name of the repo. */
  url: string
  /** Right that the caller needs: read names, read files, write, or commit to an own pull request. */
  needs: 'read' | 'download' | 'write' | 'commit'
  body?: string | object
  /** Default: JSON. */
  type?: string
}

const api = '/api/models/{R}'
const web = '/{R}'
const access = `${api}/user-access-request`
const commentId = '0'.repeat(24)
const lines = [
  { key: 'header', value: { summary: 'Add a file' } },
  { key: 'file', value: { path: 'added.txt', content: 'added' } },
]
const oid = 'a'.repeat(64)
const lfs = `${web}.git/info/lfs`
const receivePack = 'application/x-git-receive-pack-request'
const uploadPack = 'application/x-git-upload-pack-request'

const rows: readonly [
  method: RepoRoute['method'],
  url: string,
  needs: RepoRoute['needs'],
  body?: string | object,
  type?: string,
][] = [
  ['GET', api, 'read'],
  ['GET', `${api}/revision/main`, 'read'],
  ['GET', `${api}/tree/main/folder`, 'read'],
  ['GET', `${api}/treesize/main/folder`, 'read'],
  ['GET', `${api}/refs`, 'read'],
  ['GET', `${api}/commits/main`, 'download'],
  ['GET', `${api}/compare/main..main`, 'download'],
  ['GET', `${api}/scan`, 'read'],
  ['GET', `${api}/lfs-files`, 'read'],
  ['GET', `${api}/auth-check`, 'download'],
  ['GET', `${api}/auth-check/write`, 'write'],
  ['POST', `${api}/paths-info/main`, 'read', { paths: ['a.txt'] }],
  ['PUT', `${api}/settings`, 'write', { gated: 'auto' }],
  [
    'POST',
    `${api}/preupload/main`,
    'commit',
    { files: [{ path: 'a.txt', size: 1, sample: 'YQ==' }] },
  ],
  [
    'POST',
    `${api}/commit/main`,
    'commit',
    lines.map((line) => JSON.stringify(line)).join('\n'),
    'application/x-ndjson',
  ],
  ['POST', `${api}/branch/dev`, 'write', {}],
  ['POST', `${api}/tag/main`, 'write', { tag: 'v1' }],
  ['POST', `${api}/super-squash/dev`, 'commit', {}],
  ['DELETE', `${api}/branch/dev`, 'write'],
  ['DELETE', `${api}/tag/v1`, 'write'],
  ['DELETE', `${api}/lfs-files/${oid}`, 'write'],
  ['POST', `${api}/lfs-files/batch`, 'write', { deletions: { sha: [oid], rewriteHistory: false } }],
  [
    'POST',
    `${api}/lfs-files/duplicate`,
    'download',
    {
      target: { type: 'model', name: 'alice/own' },
      files: [{ sha256: oid, filename: 'a.bin' }],
    },
  ],
  ['POST', `${api}/duplicate`, 'download', { repository: 'alice/copy' }],
  ['GET', `${api}/discussions`, 'read'],
  ['POST', `${api}/discussions`, 'commit', { title: 'A question', description: '' }],
  ['GET', `${api}/discussions/1`, 'read'],
  ['DELETE', `${api}/discussions/1`, 'write'],
  ['POST', `${api}/discussions/1/comment`, 'commit', { comment: 'text' }],
  ['POST', `${api}/discussions/1/comment/${commentId}/edit`, 'commit', { content: 'text' }],
  ['POST', `${api}/discussions/1/comment/${commentId}/hide`, 'commit'],
  ['POST', `${api}/discussions/1/comment/${commentId}/reaction`, 'commit', { reaction: '👍' }],
  ['DELETE', `${api}/discussions/1/comment/${commentId}/reaction`, 'commit', { reaction: '👍' }],
  ['DELETE', `${api}/discussions/1/ref`, 'write'],
  ['GET', `${api}/discussions/1/storage`, 'read'],
  ['POST', `${api}/discussions/1/title`, 'commit', { title: 'A title' }],
  ['POST', `${api}/discussions/1/status`, 'commit', { status: 'closed' }],
  ['POST', `${api}/discussions/1/pin`, 'write', { pinned: true }],
  ['POST', `${api}/discussions/1/merge`, 'write', {}],
  ['GET', `${api}/resource-group`, 'read'],
  ['POST', `${api}/resource-group`, 'write', { resourceGroupId: null }],
  ['POST', `${api}/like`, 'commit'],
  ['DELETE', `${api}/like`, 'commit'],
  ['GET', `${api}/likers`, 'read'],
  ['GET', `${access}/pending`, 'write'],
  ['POST', `${access}/handle`, 'write', { user: 'carol', status: 'accepted' }],
  ['POST', `${access}/batch`, 'write', { status: 'accepted', requests: [{ user: 'carol' }] }],
  ['POST', `${access}/grant`, 'write', { user: 'carol' }],
  ['POST', `${access}/cancel`, 'commit'],
  ['POST', `${web}/ask-access`, 'commit', {}],
  ['GET', `${web}/user-access-report`, 'write'],
  ['GET', `${api}/xet-read-token/main`, 'download'],
  ['GET', `${api}/xet-write-token/main`, 'write'],
  ['GET', `${api}/xet-write-token/None?create_pr=1`, 'commit'],
  ['GET', `${web}/resolve/main/a.txt`, 'download'],
  ['GET', `${web}/raw/main/a.txt`, 'download'],
  ['GET', `/api/resolve-cache/models/{R}/${oid.slice(0, 40)}/a.txt`, 'download'],
  ['GET', `${web}.git/info/refs?service=git-upload-pack`, 'download'],
  ['GET', `${web}.git/info/refs?service=git-receive-pack`, 'write'],
  ['POST', `${web}.git/git-upload-pack`, 'download', '0000', uploadPack],
  ['POST', `${web}.git/git-receive-pack`, 'write', '0000', receivePack],
  [
    'POST',
    `${lfs}/objects/batch`,
    'download',
    { operation: 'download', objects: [] },
    lfsMediaType,
  ],
  ['POST', `${lfs}/objects/batch`, 'commit', { operation: 'upload', objects: [] }, lfsMediaType],
  ['POST', `${lfs}/locks`, 'write', { path: 'a.bin' }, lfsMediaType],
  ['GET', `${lfs}/locks`, 'read'],
  ['POST', `${lfs}/locks/verify`, 'commit', {}, lfsMediaType],
  ['POST', `${lfs}/locks/${commentId}/unlock`, 'write', {}, lfsMediaType],
]

/** Every route whose address names a repo; those of its Space's machine are elsewhere. */
export const repoRoutes: readonly RepoRoute[] = rows.map(([method, url, needs, body, type]) => ({
  method,
  url,
  needs,
  ...(body !== undefined && { body }),
  ...(type !== undefined && { type }),
}))

/** Routes that change repos which their bodies name. */
export const repoNamingRoutes: readonly Omit<RepoRoute, 'needs'>[] = [
  { method: 'POST', url: '/api/repos/create', body: { name: 'new' } },
  { method: 'POST', url: '/api/repos/move', body: { fromRepo: '{R}', toRepo: 'alice/moved' } },
  { method: 'DELETE', url: '/api/repos/delete', body: { name: 'moved' } },
]

/** Whether the operation of the OpenAPI document is the one that the request is led to. */
export function isOperationOf(
  { method, url }: Pick<RepoRoute, 'method' | 'url'>,
  operation: string,
): boolean {
  const [verb, template = ''] = operation.split(' ')
  const path = url
    .replace('{R}', 'acme/tiny')
    .replace(/\.git\b/, '')
    .replace(/\?.*/, '')
  const pattern = template
    .replaceAll('{types}', '(?:models|datasets|spaces)')
    .replaceAll('{path}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return verb === method && new RegExp(`^${pattern}$`).test(path)
}

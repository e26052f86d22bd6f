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
const receivePack = 'application/x-git-receive-pack-request'
const uploadPack = 'application/x-git-upload-pack-request'

/** Every route whose address names a repo; those of its Space's machine are elsewhere. */
export const repoRoutes: readonly RepoRoute[] = [
  { method: 'GET', url: api, needs: 'read' },
  { method: 'GET', url: `${api}/revision/main`, needs: 'read' },
  { method: 'GET', url: `${api}/tree/main/folder`, needs: 'read' },
  { method: 'GET', url: `${api}/refs`, needs: 'read' },
  { method: 'GET', url: `${api}/commits/main`, needs: 'download' },
  { method: 'GET', url: `${api}/lfs-files`, needs: 'read' },
  { method: 'GET', url: `${api}/auth-check`, needs: 'download' },
  { method: 'GET', url: `${api}/auth-check/write`, needs: 'write' },
  { method: 'POST', url: `${api}/paths-info/main`, needs: 'read', body: { paths: ['a.txt'] } },
  { method: 'PUT', url: `${api}/settings`, needs: 'write', body: { gated: 'auto' } },
  {
    method: 'POST',
    url: `${api}/preupload/main`,
    needs: 'commit',
    body: { files: [{ path: 'a.txt', size: 1, sample: 'YQ==' }] },
  },
  {
    method: 'POST',
    url: `${api}/commit/main`,
    needs: 'commit',
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    type: 'application/x-ndjson',
  },
  { method: 'POST', url: `${api}/branch/dev`, needs: 'write', body: {} },
  { method: 'POST', url: `${api}/tag/main`, needs: 'write', body: { tag: 'v1' } },
  { method: 'POST', url: `${api}/super-squash/dev`, needs: 'commit', body: {} },
  { method: 'DELETE', url: `${api}/branch/dev`, needs: 'write' },
  { method: 'DELETE', url: `${api}/tag/v1`, needs: 'write' },
  {
    method: 'POST',
    url: `${api}/lfs-files/batch`,
    needs: 'write',
    body: { deletions: { sha: [oid], rewriteHistory: false } },
  },
  {
    method: 'POST',
    url: `${api}/lfs-files/duplicate`,
    needs: 'download',
    body: {
      target: { type: 'model', name: 'alice/own' },
      files: [{ sha256: oid, filename: 'a.bin' }],
    },
  },
  {
    method: 'POST',
    url: `${api}/duplicate`,
    needs: 'download',
    body: { repository: 'alice/copy' },
  },
  { method: 'GET', url: `${api}/discussions`, needs: 'read' },
  {
    method: 'POST',
    url: `${api}/discussions`,
    needs: 'commit',
    body: { title: 'A question', description: '' },
  },
  { method: 'GET', url: `${api}/discussions/1`, needs: 'read' },
  { method: 'DELETE', url: `${api}/discussions/1`, needs: 'write' },
  {
    method: 'POST',
    url: `${api}/discussions/1/comment`,
    needs: 'commit',
    body: { comment: 'text' },
  },
  {
    method: 'POST',
    url: `${api}/discussions/1/comment/${commentId}/edit`,
    needs: 'commit',
    body: { content: 'text' },
  },
  { method: 'POST', url: `${api}/discussions/1/comment/${commentId}/hide`, needs: 'commit' },
  {
    method: 'POST',
    url: `${api}/discussions/1/comment/${commentId}/reaction`,
    needs: 'commit',
    body: { reaction: '👍' },
  },
  {
    method: 'DELETE',
    url: `${api}/discussions/1/comment/${commentId}/reaction`,
    needs: 'commit',
    body: { reaction: '👍' },
  },
  { method: 'DELETE', url: `${api}/discussions/1/ref`, needs: 'write' },
  { method: 'GET', url: `${api}/discussions/1/storage`, needs: 'read' },
  {
    method: 'POST',
    url: `${api}/discussions/1/title`,
    needs: 'commit',
    body: { title: 'A title' },
  },
  {
    method: 'POST',
    url: `${api}/discussions/1/status`,
    needs: 'commit',
    body: { status: 'closed' },
  },
  { method: 'POST', url: `${api}/discussions/1/pin`, needs: 'write', body: { pinned: true } },
  { method: 'POST', url: `${api}/discussions/1/merge`, needs: 'write', body: {} },
  { method: 'GET', url: `${api}/resource-group`, needs: 'read' },
  {
    method: 'POST',
    url: `${api}/resource-group`,
    needs: 'write',
    body: { resourceGroupId: null },
  },
  { method: 'POST', url: `${api}/like`, needs: 'commit' },
  { method: 'DELETE', url: `${api}/like`, needs: 'commit' },
  { method: 'GET', url: `${api}/likers`, needs: 'read' },
  { method: 'GET', url: `${access}/pending`, needs: 'write' },
  {
    method: 'POST',
    url: `${access}/handle`,
    needs: 'write',
    body: { user: 'carol', status: 'accepted' },
  },
  {
    method: 'POST',
    url: `${access}/batch`,
    needs: 'write',
    body: { status: 'accepted', requests: [{ user: 'carol' }] },
  },
  { method: 'POST', url: `${access}/grant`, needs: 'write', body: { user: 'carol' } },
  { method: 'POST', url: `${access}/cancel`, needs: 'commit' },
  { method: 'POST', url: `${web}/ask-access`, needs: 'commit', body: {} },
  { method: 'GET', url: `${web}/user-access-report`, needs: 'write' },
  { method: 'GET', url: `${api}/xet-read-token/main`, needs: 'download' },
  { method: 'GET', url: `${api}/xet-write-token/main`, needs: 'write' },
  { method: 'GET', url: `${api}/xet-write-token/None?create_pr=1`, needs: 'commit' },
  { method: 'GET', url: `${web}/resolve/main/a.txt`, needs: 'download' },
  { method: 'GET', url: `${web}/raw/main/a.txt`, needs: 'download' },
  {
    method: 'GET',
    url: `/api/resolve-cache/models/{R}/${oid.slice(0, 40)}/a.txt`,
    needs: 'download',
  },
  { method: 'GET', url: `${web}.git/info/refs?service=git-upload-pack`, needs: 'download' },
  { method: 'GET', url: `${web}.git/info/refs?service=git-receive-pack`, needs: 'write' },
  {
    method: 'POST',
    url: `${web}.git/git-upload-pack`,
    needs: 'download',
    body: '0000',
    type: uploadPack,
  },
  {
    method: 'POST',
    url: `${web}.git/git-receive-pack`,
    needs: 'write',
    body: '0000',
    type: receivePack,
  },
  {
    method: 'POST',
    url: `${web}.git/info/lfs/objects/batch`,
    needs: 'download',
    body: { operation: 'download', objects: [] },
    type: lfsMediaType,
  },
  {
    method: 'POST',
    url: `${web}.git/info/lfs/objects/batch`,
    needs: 'commit',
    body: { operation: 'upload', objects: [] },
    type: lfsMediaType,
  },
  {
    method: 'POST',
    url: `${web}.git/info/lfs/locks`,
    needs: 'write',
    body: { path: 'a.bin' },
    type: lfsMediaType,
  },
  { method: 'GET', url: `${web}.git/info/lfs/locks`, needs: 'read' },
  {
    method: 'POST',
    url: `${web}.git/info/lfs/locks/verify`,
    needs: 'commit',
    body: {},
    type: lfsMediaType,
  },
  {
    method: 'POST',
    url: `${web}.git/info/lfs/locks/${commentId}/unlock`,
    needs: 'write',
    body: {},
    type: lfsMediaType,
  },
]

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

import { useInfiniteQuery } from '@tanstack/react-query'
import type {
  CommitRequest,
  CreateRefRequest,
  DecideAccessRequest,
  DeleteRefQuery,
  OpenDiscussionRequest,
  RepoParams,
  UpdateDiscussionRequest,
} from '../../../../server/contract/control-repo-contents.ts'
import { callApi, callUntil } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'

/** Repo named by the URL. */
export type RepoPlace = RepoParams

const changes = ['repos', 'deliveries'] as const
const pageSize = 200

function placeKey({ type, namespace, name }: RepoPlace): string {
  return `${type}/${namespace}/${name}`
}

/** Folders and files of a folder; the empty path is the root. */
export function useFiles(repo: RepoPlace, revision: string, folder: string) {
  return useInfiniteQuery({
    queryKey: ['repos', placeKey(repo), 'files', revision, folder],
    queryFn: ({ pageParam, signal }) =>
      callUntil(signal)('GET repos/:type/:namespace/:name/files', {
        params: repo,
        query: { revision, folder, cursor: pageParam, limit: pageSize },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export function useCommits(repo: RepoPlace, revision: string) {
  return useInfiniteQuery({
    queryKey: ['repos', placeKey(repo), 'commits', revision],
    queryFn: ({ pageParam, signal }) =>
      callUntil(signal)('GET repos/:type/:namespace/:name/commits', {
        params: repo,
        query: { revision, cursor: pageParam, limit: pageSize },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export function useFile(repo: RepoPlace, revision: string, path: string) {
  return useRead('GET repos/:type/:namespace/:name/file', {
    params: repo,
    query: { revision, path },
  })
}

export function useCommitDetail(repo: RepoPlace, id: string) {
  return useRead('GET repos/:type/:namespace/:name/commits/:id', {
    params: { ...repo, id },
    query: { diff: '1' },
  })
}

export function useDiscussion(repo: RepoPlace, num: number) {
  return useRead('GET repos/:type/:namespace/:name/discussions/:num', {
    params: { ...repo, num },
    query: { diff: '1' },
  })
}

export function useCommit(repo: RepoPlace) {
  return useWrite({
    call: (body: CommitRequest) =>
      callApi('POST repos/:type/:namespace/:name/commits', { params: repo, body }),
    changes,
  })
}

export function useCreateRef(repo: RepoPlace) {
  return useWrite({
    call: (body: CreateRefRequest) =>
      callApi('POST repos/:type/:namespace/:name/refs', { params: repo, body }),
    changes,
  })
}

export function useDeleteRef(repo: RepoPlace) {
  return useWrite({
    call: (query: DeleteRefQuery) =>
      callApi('DELETE repos/:type/:namespace/:name/refs', { params: repo, query }),
    changes,
    failed: 'Could not delete it',
  })
}

export function useOpenDiscussion(repo: RepoPlace) {
  return useWrite({
    call: (body: OpenDiscussionRequest) =>
      callApi('POST repos/:type/:namespace/:name/discussions', { params: repo, body }),
    changes,
  })
}

export function useComment(repo: RepoPlace, num: number) {
  return useWrite({
    call: (body: { user: string; content: string }) =>
      callApi('POST repos/:type/:namespace/:name/discussions/:num/comments', {
        params: { ...repo, num },
        body,
      }),
    changes,
  })
}

export function useUpdateDiscussion(repo: RepoPlace, num: number) {
  return useWrite({
    call: (body: UpdateDiscussionRequest) =>
      callApi('PATCH repos/:type/:namespace/:name/discussions/:num', {
        params: { ...repo, num },
        body,
      }),
    changes,
  })
}

export function useMerge(repo: RepoPlace, num: number) {
  return useWrite({
    call: (body: { user: string }) =>
      callApi('POST repos/:type/:namespace/:name/discussions/:num/merge', {
        params: { ...repo, num },
        body,
      }),
    changes,
  })
}

export function useAccessRequests(repo: RepoPlace) {
  return useRead('GET repos/:type/:namespace/:name/access-requests', {
    params: repo,
    query: { limit: 1000 },
  })
}

export function useDecideAccess(repo: RepoPlace) {
  return useWrite({
    call: ({ username, ...body }: DecideAccessRequest & { username: string }) =>
      callApi('PATCH repos/:type/:namespace/:name/access-requests/:username', {
        params: { ...repo, username },
        body,
      }),
    changes: ['repos'],
    failed: 'Could not change the access request',
  })
}

import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import {
  accessStatuses,
  anyRepoTypes,
  discussionStatuses,
  type Gated,
  gatings,
  visibilities,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

const RepoType = OneOf(anyRepoTypes, 'Kind of repository')
const Name = Type.String({ pattern: '^[^/]+/[^/]+$', description: 'namespace/name' })
const GatedField = Type.Unsafe<Gated>({
  enum: [false, ...gatings],
  description:
    'Whether access must be requested, and whether requests are accepted automatically or manually',
})

const repoItem = {
  id: text('24 hex digits'),
  type: RepoType,
  name: Name,
  visibility: OneOf(visibilities, 'Visibility'),
  private: flag('Whether only its owners can read it'),
  gated: GatedField,
  sdk: Type.Optional(text('Spaces only')),
  likes: integer('Likes'),
  downloads: integer('Downloads'),
  headSha: Type.Optional(text('Newest commit of main')),
  branches: Type.Array(Type.String(), { description: 'Branch names' }),
  tags: Type.Array(Type.String(), { description: 'Tag names' }),
  discussions: integer('Discussions and pull requests'),
  storage: Type.Optional(
    Type.Object(
      {
        files: integer('Number of files'),
        bytes: integer('Bytes of all files'),
      },
      { description: 'Buckets only' },
    ),
  ),
  url: text('URL of its page'),
  createdAt: Time('Creation time'),
  updatedAt: Time('Time of the last change'),
}

export const RepoItem = Type.Object(repoItem, { description: 'A repository' })
export type RepoItem = Static<typeof RepoItem>

export const RepoDetail = Type.Object(
  {
    ...repoItem,
    files: Type.Array(
      Type.Object({
        path: text('Path on main'),
        size: integer('Bytes'),
        oid: text(
          'Git blob id; of a large file, that of its pointer; in a bucket the SHA-256 of the content',
        ),
        storage: Type.Optional(OneOf(['xet', 'lfs'], 'How a large file is stored')),
      }),
      { description: 'The first 10,000 files on main, in the order of git' },
    ),
    moreFiles: Type.Optional(integer('Files beyond these; `files` lists all of them by page')),
    accessRequests: Type.Array(
      Type.Object({
        user: UserRef,
        status: OneOf(accessStatuses, 'Decision on the request'),
        at: Time('Creation time'),
      }),
    ),
    discussionList: Type.Array(
      Type.Object({
        num: integer('Number in the repository'),
        title: text('Title'),
        status: OneOf(discussionStatuses, 'Status'),
        isPullRequest: flag('Whether it is a pull request'),
        author: UserRef,
        createdAt: Time('Creation time'),
      }),
    ),
  },
  { description: 'A repository with its files on main and its discussions' },
)
export type RepoDetail = Static<typeof RepoDetail>

export const RepoList = ListOf(RepoItem)
export type RepoList = Static<typeof RepoList>

export const RepoQuery = Type.Object({
  type: Type.Optional(RepoType),
  search: Type.Optional(text('Part of the name')),
  ...pageQuery,
})
export type RepoQuery = Static<typeof RepoQuery>

const Files = Type.Record(Type.String(), Type.String(), {
  description: 'Texts by path, written in one commit',
})

export const CreateRepoRequest = Type.Object(
  {
    type: RepoType,
    name: Name,
    private: Type.Optional(flag('Whether it is private; default: as the organization chose')),
    gated: Type.Optional(GatedField),
    sdk: Type.Optional(text('Spaces only; default static')),
    files: Type.Optional(Files),
    user: Type.Optional(
      text('Acting user; default: the owner, or an admin of the owning organization'),
    ),
  },
  { additionalProperties: false },
)
export type CreateRepoRequest = Static<typeof CreateRepoRequest>

export const UpdateRepoRequest = Type.Object(
  {
    name: Type.Optional(Name),
    private: Type.Optional(flag('Whether it is private')),
    gated: Type.Optional(GatedField),
    files: Type.Optional(Files),
    access: Type.Optional(
      Type.Array(
        Type.Object(
          {
            user: text('Username'),
            status: OneOf(accessStatuses, 'Decision on the request'),
          },
          { additionalProperties: false },
        ),
        { description: 'Decisions on access requests of a gated repository' },
      ),
    ),
    user: Type.Optional(
      text('Acting user; default: the owner, or an admin of the owning organization'),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateRepoRequest = Static<typeof UpdateRepoRequest>

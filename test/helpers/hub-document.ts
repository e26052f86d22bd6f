import { type TProperties, type TSchema, Type } from 'typebox'

// Shapes of responses, restated from the hub's own OpenAPI document (/.well-known/openapi.json, 2026). Fields that the
// document allows and the sandbox never sends (`xetHash`, scans of files, tokens of jobs) are left out. The document
// does not describe info and lists of repos, auth-check, nor the runtime of a Space and what changes it; the shape of a
// runtime is that of /api/trending.

/** An object without any other field, as the document has almost all of them. */
const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional<TSchema>
const oneOf = (...values: readonly string[]) => Type.Enum([...values])
const text = Type.String()
const texts = Type.Array(text)
const textByName = Type.Record(text, text)
const id = Type.String({ pattern: '^[0-9a-f]{24}$' })
const time = Type.String({ format: 'date-time', pattern: 'Z$' })
const url = Type.String({ format: 'uri' })
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

const authors = Type.Array(closed({ user: text, avatar: maybe(text) }))
const commits = Type.Array(
  closed({
    id: text,
    title: text,
    message: text,
    authors,
    date: time,
    formatted: maybe(closed({ title: text, message: maybe(text) })),
  }),
)

const refList = Type.Array(closed({ name: text, ref: text, targetCommit: text }))
const refs = closed({
  tags: refList,
  branches: refList,
  converts: refList,
  pullRequests: maybe(refList),
})

// Of paths-info the document names `lfs.pointerSize` alone; its clients read all three there, too.
const entries = Type.Array(
  closed({
    type: oneOf('file', 'directory', 'unknown'),
    oid: text,
    size: Type.Integer(),
    lfs: maybe(closed({ oid: text, size: Type.Integer(), pointerSize: Type.Integer() })),
    path: text,
    lastCommit: maybe(closed({ id: text, title: text, date: time })),
  }),
)

const preupload = closed({
  files: Type.Array(
    closed({
      path: text,
      uploadMode: oneOf('lfs', 'regular'),
      shouldIgnore: Type.Boolean(),
      oid: maybe(text),
    }),
  ),
  commitOid: text,
})

const commit = closed({
  success: Type.Boolean(),
  commitOid: text,
  commitUrl: text,
  hookOutput: text,
  pullRequestUrl: maybe(text),
})

const visibility = oneOf('private', 'public', 'protected')
const settings = closed({
  private: maybe(Type.Boolean()),
  visibility: maybe(visibility),
  discussionsDisabled: maybe(Type.Boolean()),
  discussionsSorting: maybe(oneOf('recently-created', 'trending', 'reactions')),
  gated: maybe(Type.Union([Type.Literal(false), oneOf('auto', 'manual')])),
  orgMembersGated: maybe(Type.Boolean()),
  gatedNotificationsEmail: maybe(text),
  gatedNotificationsMode: maybe(oneOf('bulk', 'real-time')),
})

const largeFiles = Type.Array(
  closed({
    fileOid: text,
    oid: text,
    size: Type.Number(),
    pushedAt: time,
    ref: maybe(text),
    filename: maybe(text),
  }),
)

const ownerTypes = oneOf('user', 'org')
const jobParty = closed({ id, name: text, type: ownerTypes, avatarUrl: text })
const startedBy = (type: string) => closed({ type: Type.Literal(type), id: text })
const volume = closed({
  type: text,
  source: text,
  mountPath: text,
  revision: maybe(text),
  readOnly: maybe(Type.Boolean()),
  path: maybe(text),
})
/** Members that a job has of its spec. */
const ofJobSpec = {
  spaceId: maybe(text),
  dockerImage: maybe(text),
  timeout: maybe(Type.Number()),
  environment: textByName,
  command: maybe(texts),
  arguments: maybe(texts),
  arch: maybe(oneOf('amd64', 'arm64')),
  flavor: text,
}

const job = closed({
  id: text,
  type: Type.Literal('job'),
  createdAt: time,
  startedAt: maybe(time),
  finishedAt: maybe(time),
  durations: maybe(
    closed({
      schedulingSecs: maybe(Type.Number()),
      runningSecs: maybe(Type.Number()),
      totalSecs: maybe(Type.Number()),
    }),
  ),
  ...ofJobSpec,
  createdBy: closed({ id: text, name: text }),
  volumes: maybe(Type.Array(volume)),
  owner: jobParty,
  initiator: maybe(
    Type.Union([
      jobParty,
      startedBy('scheduled-job'),
      startedBy('duplicated-job'),
      startedBy('webhook'),
    ]),
  ),
  status: closed({
    stage: oneOf('COMPLETED', 'CANCELED', 'ERROR', 'DELETED', 'RUNNING', 'SCHEDULING'),
    message: nullable(text),
    failureCount: maybe(Type.Number()),
    exposeUrls: maybe(texts),
    sshUrl: maybe(text),
  }),
  secrets: maybe(texts),
  labels: maybe(textByName),
  retry: maybe(Type.Number()),
  expose: maybe(
    closed({ ports: Type.Array(Type.Integer()), portsPublic: maybe(Type.Array(Type.Integer())) }),
  ),
  resourceGroupId: maybe(text),
})

const scheduledJob = closed({
  id: text,
  type: Type.Literal('scheduled-job'),
  createdAt: time,
  schedule: text,
  suspend: Type.Boolean(),
  concurrency: Type.Boolean(),
  status: closed({
    lastJob: nullable(closed({ id: text, at: time })),
    // Its clients read null of a job that is suspended, which the document lacks.
    nextJobRunAt: nullable(time),
  }),
  owner: jobParty,
  initiator: maybe(jobParty),
  jobSpec: closed({
    ...ofJobSpec,
    volumes: maybe(Type.Array(volume)),
    secrets: maybe(texts),
    labels: maybe(textByName),
  }),
})

const hardware = {
  name: text,
  prettyName: text,
  cpu: text,
  ram: text,
  accelerator: nullable(
    closed({
      type: oneOf('gpu', 'neuron'),
      model: text,
      quantity: text,
      vram: text,
      manufacturer: oneOf('Nvidia', 'AWS'),
    }),
  ),
  unitCostMicroUSD: Type.Number(),
  unitCostUSD: Type.Number(),
  unitLabel: text,
}

const webhook = closed({
  id,
  url: maybe(url),
  job: maybe(
    closed({
      dockerImage: maybe(text),
      spaceId: maybe(text),
      environment: textByName,
      arguments: maybe(texts),
      command: maybe(texts),
      flavor: text,
      timeoutSeconds: nullable(Type.Integer({ exclusiveMinimum: 0 })),
      labels: maybe(textByName),
      secrets: maybe(texts),
    }),
  ),
  jobSourceId: maybe(text),
  disabled: Type.Union([Type.Boolean(), Type.Literal('suspended-after-failure')]),
  watched: Type.Array(
    closed({
      name: text,
      type: oneOf('dataset', 'model', 'space', 'bucket', 'kernel', 'user', 'org'),
      avatarUrl: maybe(text),
    }),
  ),
  // Newer than the document: seen in responses of the hub.
  hasSecret: maybe(Type.Boolean()),
  domains: Type.Array(oneOf('repo', 'discussion')),
  lastTriggerAt: maybe(time),
})
const oneWebhook = closed({ webhook })

const role = Type.Union([oneOf('admin', 'write', 'contributor', 'read', 'no_access'), text])
const account = {
  id: text,
  name: text,
  fullname: text,
  email: maybe(nullable(text)),
  canPay: maybe(Type.Boolean()),
  billingMode: maybe(oneOf('prepaid', 'postpaid')),
  avatarUrl: text,
  periodEnd: maybe(nullable(Type.Number())),
}
const entityTypes = oneOf(
  'dataset',
  'model',
  'space',
  'bucket',
  'kernel',
  'collection',
  'org',
  'user',
  'resource-group',
  'oauth-app',
)
const membership = {
  roleInOrg: maybe(role),
  pendingSSO: maybe(Type.Boolean()),
  missingMFA: maybe(Type.Boolean()),
  securityRestrictions: maybe(
    Type.Array(oneOf('mfa', 'token-policy', 'token-revoked', 'sso', 'ip')),
  ),
}

const whoami = closed({
  auth: closed({
    type: text,
    accessToken: maybe(
      closed({
        displayName: text,
        role: oneOf('read', 'write', 'god', 'fineGrained'),
        fineGrained: maybe(
          closed({
            scoped: Type.Array(
              closed({
                entity: closed({ _id: id, name: maybe(text), type: entityTypes }),
                permissions: texts,
              }),
            ),
            global: maybe(Type.Array(oneOf('discussion.write', 'post.write'))),
            canReadGatedRepos: maybe(Type.Boolean()),
          }),
        ),
        createdAt: time,
      }),
    ),
    expiresAt: maybe(time),
    resource: maybe(closed({ sub: text })),
  }),
  type: Type.Literal('user'),
  ...account,
  emailVerified: maybe(Type.Boolean()),
  isPro: Type.Boolean(),
  orgs: Type.Array(
    closed({
      type: Type.Literal('org'),
      ...account,
      plan: maybe(oneOf('team', 'enterprise', 'plus', 'academia')),
      ...membership,
      resourceGroups: maybe(Type.Array(closed({ id, name: text, role }))),
    }),
  ),
})

const userinfo = closed({
  sub: text,
  name: maybe(text),
  preferred_username: maybe(text),
  profile: maybe(url),
  picture: maybe(url),
  website: maybe(url),
  email: maybe(text),
  email_verified: maybe(Type.Boolean()),
  isPro: Type.Boolean(),
  canPay: maybe(Type.Boolean()),
  billingMode: maybe(oneOf('prepaid', 'postpaid')),
  orgs: Type.Array(
    closed({
      sub: text,
      name: text,
      picture: url,
      preferred_username: text,
      plan: maybe(oneOf('team', 'enterprise', 'plus', 'academia')),
      canPay: maybe(Type.Boolean()),
      billingMode: maybe(oneOf('prepaid', 'postpaid')),
      ...membership,
      resourceGroups: maybe(Type.Array(closed({ sub: text, name: text, role }))),
    }),
  ),
  // The name of `orgs` in the hub's documentation of OAuth. The sandbox sends both.
  organizations: maybe(Type.Array(Type.Unknown())),
})

const registration = closed({
  client_id: text,
  client_secret: maybe(text),
  client_id_issued_at: Type.Number(),
  client_secret_expires_at: Type.Number(),
  redirect_uris: Type.Array(url),
  client_name: maybe(text),
  client_uri: maybe(url),
  logo_uri: maybe(url),
  scope: text,
  grant_types: Type.Array(
    oneOf(
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:device_code',
      'authorization_code',
      'refresh_token',
    ),
  ),
  contacts: maybe(texts),
  token_endpoint_auth_method: maybe(oneOf('client_secret_basic', 'none', 'client_secret_post')),
  software_id: maybe(text),
  software_version: maybe(text),
})

const device = closed({
  device_code: text,
  user_code: text,
  verification_uri: text,
  expires_in: Type.Number(),
})

const replicas = nullable(Type.Number())
const runtime = closed({
  stage: oneOf(
    'NO_APP_FILE',
    'CONFIG_ERROR',
    'BUILDING',
    'BUILD_ERROR',
    'APP_STARTING',
    'RUNNING',
    'RUNNING_BUILDING',
    'RUNNING_APP_STARTING',
    'RUNTIME_ERROR',
    'DELETING',
    'STOPPED',
    'PAUSED',
    'SLEEPING',
  ),
  hardware: closed({ current: nullable(text), requested: nullable(text) }),
  errorMessage: maybe(text),
  gcTimeout: maybe(nullable(Type.Number())),
  replicas: closed({
    current: maybe(replicas),
    requested: Type.Union([Type.Number(), Type.Literal('auto')]),
  }),
  devMode: maybe(Type.Boolean()),
  domains: maybe(
    Type.Array(
      closed({
        domain: text,
        isCustom: maybe(nullable(Type.Boolean())),
        stage: oneOf('READY', 'PENDING', 'PENDING_CHALLENGE', 'EXPIRED_CHALLENGE'),
      }),
    ),
  ),
  sha: maybe(text),
  // Only in responses about one Space, where clients read both.
  storage: maybe(nullable(oneOf('small', 'medium', 'large'))),
  volumes: maybe(Type.Array(volume)),
})

const secret = closed({ key: text, description: maybe(text), updatedAt: maybe(time) })
const variable = closed({
  key: text,
  value: text,
  description: maybe(text),
  updatedAt: maybe(time),
})

const storage = Type.Array(
  closed({
    id: text,
    type: oneOf('dataset', 'model', 'space', 'bucket', 'kernel'),
    updatedAt: text,
    visibility,
    storage: Type.Number(),
    storagePercent: Type.Number(),
  }),
)

// The document lists the types of events, of which the sandbox has some.
const auditLog = Type.Array(
  closed({
    _id: id,
    createdAt: time,
    type: text,
    data: maybe(Type.Unknown()),
    message: text,
    ip: maybe(text),
    location: maybe(closed({ formatted: text, country: maybe(text), city: maybe(text) })),
    userAgent: maybe(text),
    author: closed({
      _id: id,
      user: text,
      avatarUrl: text,
      type: oneOf('user', 'system'),
      deleted: maybe(Type.Boolean()),
    }),
    token: maybe(
      closed({
        type: Type.Literal('access_token'),
        id: text,
        role: maybe(oneOf('read', 'write', 'fineGrained')),
        last4: maybe(text),
        deleted: Type.Boolean(),
      }),
    ),
    oauth: maybe(closed({ clientId: text, name: maybe(text) })),
  }),
)

const tagsByType = Type.Record(
  text,
  Type.Array(
    closed({
      id: text,
      label: text,
      type: text,
      subType: maybe(text),
      clickable: maybe(Type.Boolean()),
    }),
  ),
)

const reaction = oneOf(
  'fire',
  'rocket',
  'eyes',
  'heart',
  'hugs',
  'cool',
  'plus',
  'brain',
  'thumbsup',
  'handshake',
  'sad',
  'mindblown',
)
const discussionAuthor = {
  _id: id,
  name: text,
  fullname: text,
  avatarUrl: text,
  type: Type.Literal('user'),
  isPro: Type.Boolean(),
  isHf: Type.Boolean(),
  isHfAdmin: Type.Boolean(),
  isMod: Type.Boolean(),
}
const author = maybe(closed(discussionAuthor))
const status = oneOf('draft', 'open', 'closed', 'merged')
const discussionHead = {
  num: Type.Number(),
  author,
  repo: closed({ name: text, type: oneOf('dataset', 'model', 'space', 'bucket', 'kernel') }),
  title: text,
  createdAt: time,
  status,
  pinned: Type.Boolean(),
}
const version = closed({ raw: text, html: text, updatedAt: time, author })
const entry = (type: string, data: TProperties) =>
  closed({
    id: text,
    createdAt: time,
    author: maybe(
      closed({
        ...discussionAuthor,
        isOwner: maybe(Type.Boolean()),
        isOrgMember: maybe(Type.Boolean()),
      }),
    ),
    type: Type.Literal(type),
    data: closed(data),
  })
const comment = entry('comment', {
  edited: Type.Boolean(),
  hidden: Type.Boolean(),
  latest: version,
  numEdits: Type.Number(),
  editors: texts,
  editorAvatarUrls: texts,
  reactions: Type.Array(closed({ reaction, users: texts, count: Type.Number() })),
  isReport: maybe(Type.Boolean()),
  // Newer than its clients, which read the earlier versions here.
  history: Type.Array(version),
})
const statusChange = entry('status-change', { status })
const titleChange = entry('title-change', { from: text, to: text })
const oneDiscussion = {
  _id: id,
  ...discussionHead,
  locked: Type.Boolean(),
  collection: Type.Literal('discussions'),
  events: Type.Array(
    Type.Union([comment, statusChange, titleChange, entry('commit', { subject: text, oid: text })]),
  ),
}
const discussion = Type.Union([
  closed({ ...oneDiscussion, isPullRequest: Type.Literal(false), isReport: Type.Boolean() }),
  closed({
    ...oneDiscussion,
    isPullRequest: Type.Literal(true),
    filesWithConflicts: texts,
    changes: closed({
      base: text,
      mergeCommitId: maybe(text),
      headCommitId: maybe(text),
      refDeleted: maybe(Type.Boolean()),
    }),
    // With `diff=1`, which clients send and the document lacks.
    diff: maybe(text),
  }),
])
const discussions = closed({
  discussions: Type.Array(
    closed({
      ...discussionHead,
      isPullRequest: Type.Boolean(),
      topReactions: Type.Array(closed({ reaction, count: Type.Number() })),
      numComments: Type.Number(),
      numReactionUsers: Type.Number(),
      repoOwner: maybe(
        closed({
          name: text,
          type: ownerTypes,
          isParticipating: Type.Boolean(),
          isDiscussionAuthor: Type.Boolean(),
        }),
      ),
    }),
  ),
  count: Type.Number(),
  start: Type.Number(),
  numClosedDiscussions: maybe(Type.Number()),
})

const groupOfThing = closed({ id, name: text, numUsers: maybe(Type.Number()) })
const person = {
  _id: id,
  user: text,
  fullname: text,
  avatarUrl: text,
  type: Type.Literal('user'),
  isPro: Type.Boolean(),
  email: maybe(text),
}
const accessRequest = closed({
  // Its clients name the request by it, which the document lacks.
  requestId: text,
  user: maybe(closed({ ...person, verifiedOrgNames: texts })),
  grantedBy: maybe(Type.Union([closed(person), closed({})])),
  status: oneOf('accepted', 'rejected', 'pending'),
  fields: maybe(textByName),
  timestamp: time,
})
const decision = closed({
  userId: maybe(text),
  user: maybe(text),
  ok: Type.Boolean(),
  error: maybe(oneOf('user_not_found', 'request_not_found')),
})
const cdnRegions = Type.Array(closed({ provider: oneOf('gcp', 'aws'), region: oneOf('us', 'eu') }))
const bucket = closed({
  author: text,
  id: text,
  private: maybe(nullable(Type.Boolean())),
  createdAt: time,
  updatedAt: time,
  size: Type.Number(),
  totalFiles: Type.Number(),
  repoType: Type.Literal('bucket'),
  cdnRegions,
  // Newer than the document: clients send and read it.
  region: maybe(oneOf('us', 'eu')),
  resourceGroup: maybe(groupOfThing),
})

const owner = Type.Union([
  closed({
    ...discussionAuthor,
    followerCount: maybe(Type.Number()),
    isUserFollowing: maybe(Type.Boolean()),
  }),
  closed({
    _id: id,
    name: text,
    fullname: text,
    avatarUrl: text,
    type: Type.Literal('org'),
    plan: maybe(oneOf('team', 'enterprise', 'plus', 'academia')),
    isHf: Type.Boolean(),
    isHfAdmin: Type.Boolean(),
    isMod: Type.Boolean(),
    followerCount: maybe(Type.Number()),
    isUserFollowing: maybe(Type.Boolean()),
  }),
])
const itemOf = (type: string, members: TProperties) =>
  closed({
    _id: text,
    note: maybe(closed({ html: text, text })),
    position: Type.Number(),
    type: Type.Literal(type),
    id: text,
    ...members,
  })
const repoCard = (type: string, members: TProperties) =>
  closed({
    id: text,
    author: text,
    private: Type.Boolean(),
    repoType: Type.Literal(type),
    ...members,
  })
const repoItem = (type: string, members: TProperties) =>
  itemOf(type, { author: text, private: Type.Boolean(), repoType: Type.Literal(type), ...members })
const likedItem = { likes: Type.Number(), isLikedByUser: Type.Boolean(), lastModified: time }
const downloadedItem = {
  ...likedItem,
  downloads: Type.Number(),
  gated: Type.Union([Type.Literal(false), oneOf('auto', 'manual')]),
}
const theme = oneOf('orange', 'blue', 'green', 'purple', 'pink', 'indigo')
const collectionSummary = {
  slug: text,
  title: text,
  description: maybe(text),
  lastUpdated: time,
  owner,
  theme,
  upvotes: Type.Number(),
  isUpvotedByUser: Type.Boolean(),
}
const live = oneOf('live', 'staging', 'error')
const modelCard = {
  ...downloadedItem,
  pipeline_tag: maybe(text),
  authorData: maybe(owner),
  availableInferenceProviders: Type.Array(
    closed({
      provider: text,
      providerStatus: live,
      modelStatus: live,
      providerId: text,
      task: text,
      isCheapestPricingOutput: Type.Boolean(),
      isFastestThroughput: Type.Boolean(),
      isModelAuthor: Type.Boolean(),
    }),
  ),
}
const spaceCard = {
  ...likedItem,
  colorFrom: text,
  colorTo: text,
  createdAt: time,
  emoji: text,
  pinned: Type.Boolean(),
  title: text,
  sdk: maybe(oneOf('gradio', 'docker', 'static', 'streamlit')),
  runtime: closed(
    Object.fromEntries(
      Object.entries(runtime.properties).filter(([key]) => key !== 'storage' && key !== 'volumes'),
    ),
  ),
  disabled: Type.Boolean(),
  tags: texts,
  authorData: maybe(owner),
  shortDescription: maybe(text),
  featured: Type.Boolean(),
  visibility,
}
const collectionItem = Type.Union([
  repoItem('dataset', downloadedItem),
  repoItem('model', modelCard),
  repoItem('space', spaceCard),
  itemOf('paper', { title: text, upvotes: Type.Number(), publishedAt: time }),
  itemOf('collection', { ...collectionSummary, shareUrl: text, numberItems: Type.Number() }),
  repoItem('bucket', {
    createdAt: time,
    updatedAt: time,
    size: Type.Number(),
    totalFiles: Type.Number(),
    cdnRegions,
  }),
])
const trend = (type: string, members: TProperties) =>
  closed({ repoType: Type.Literal(type), repoData: repoCard(type, members) })
const trending = closed({
  recentlyTrending: Type.Array(
    Type.Union([
      trend('dataset', downloadedItem),
      trend('model', modelCard),
      trend('space', spaceCard),
    ]),
  ),
})
const foundRepo = { id: text, private: maybe(Type.Boolean()) }
const foundTrend = { ...foundRepo, trendingWeight: Type.Number() }
const foundAccount = { _id: text, avatarUrl: text, fullname: text }
const quickSearch = closed({
  q: text,
  datasets: Type.Array(closed(foundTrend)),
  datasetsCount: Type.Number(),
  models: Type.Array(closed(foundTrend)),
  modelsCount: Type.Number(),
  spaces: Type.Array(closed({ ...foundTrend, emoji: text })),
  spacesCount: Type.Number(),
  orgs: Type.Array(closed({ ...foundAccount, name: text })),
  users: Type.Array(closed({ ...foundAccount, user: text })),
  papers: Type.Array(closed(foundRepo)),
  papersCount: Type.Number(),
  collections: Type.Array(closed({ _id: text, title: text, description: maybe(text) })),
  collectionsCount: Type.Number(),
  buckets: Type.Array(closed(foundRepo)),
  bucketsCount: Type.Number(),
  kernels: Type.Array(closed(foundRepo)),
  kernelsCount: Type.Number(),
})
const collection = {
  ...collectionSummary,
  gating: Type.Boolean(),
  private: Type.Boolean(),
  items: Type.Array(collectionItem),
}
const oneCollection = closed({ ...collection, position: Type.Number(), shareUrl: text })

const identity = closed({ id: text, name: text })
const duplication = closed({
  success: Type.Boolean(),
  processed: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Array(closed({ xetHash: text, sha256: text, error: text })),
})
const namespaceAccess = closed({ namespace: identity, user: identity })
const endpointAccess = closed({ namespace: identity, user: identity, resourceGroupId: maybe(text) })

const networkContents = Type.Array(
  closed({ resource: oneOf('dataset', 'model', 'space', 'bucket', 'kernel', '*'), scope: text }),
)
const networkSecurity = closed({
  enforceAuth: Type.Union([Type.Boolean(), Type.Literal('pending')]),
  enforceIpRestriction: Type.Boolean(),
  highRateLimits: Type.Boolean(),
  ipRanges: texts,
  blockedContents: networkContents,
  allowedContents: networkContents,
  keepReposMetadataVisible: Type.Boolean(),
})
const groupRole = oneOf('admin', 'write', 'contributor', 'read', 'no_access')
const anyRepo = oneOf('dataset', 'model', 'space', 'bucket', 'kernel')
const resourceGroup = closed({
  id,
  name: text,
  description: maybe(nullable(text)),
  autoJoin: maybe(
    Type.Union([
      closed({
        enabled: Type.Literal(true),
        role: groupRole,
        scope: maybe(oneOf('all', 'read_plus')),
      }),
      closed({ enabled: Type.Literal(false) }),
    ]),
  ),
  users: Type.Array(
    closed({
      type: Type.Literal('user'),
      _id: id,
      fullname: text,
      name: text,
      avatarUrl: text,
      role: groupRole,
      addedBy: maybe(text),
    }),
  ),
  // Required, and not described.
  repos: Type.Array(closed({ type: anyRepo, name: text, private: Type.Boolean() })),
  resources: Type.Array(
    Type.Union([
      closed({ type: anyRepo, name: text, addedBy: maybe(text), private: Type.Boolean() }),
      closed({
        type: Type.Literal('collection'),
        id,
        slug: text,
        title: text,
        addedBy: maybe(text),
        private: Type.Boolean(),
      }),
    ]),
  ),
})
const groupedRepo = closed({ name: text, type: anyRepo, private: Type.Boolean(), addedBy: text })

const ofRepo = '/api/{types}/{namespace}/{name}'
const ofSpace = '/api/spaces/{namespace}/{name}'

/**
 * Shapes of successful responses by the operations of the sandbox's own document, and of other responses by operation
 * and status.
 */
export const hubDocument: Readonly<Record<string, TSchema>> = {
  'POST /oauth/register': registration,
  'POST /oauth/device': device,
  'GET /oauth/userinfo': userinfo,
  'POST /oauth/userinfo': userinfo,
  'GET /api/whoami-v2': whoami,
  'GET /api/settings/repositories': storage,
  'GET /api/organizations/{name}/settings/repositories': storage,
  'GET /api/organizations/{name}/audit-log/export': auditLog,
  'POST /api/repos/create': closed({ url: text, name: text, id }),
  'POST /api/repos/create 409': closed({ error: text, url: text }),
  [`POST ${ofRepo}/duplicate`]: closed({ url: text }),
  [`GET ${ofRepo}/commits/{path}`]: commits,
  [`GET ${ofRepo}/refs`]: refs,
  [`GET ${ofRepo}/tree/{path}`]: entries,
  [`POST ${ofRepo}/paths-info/{path}`]: entries,
  [`GET ${ofRepo}/compare/{compare}`]: text,
  [`GET ${ofRepo}/scan`]: closed({
    scansDone: Type.Boolean(),
    filesWithIssues: Type.Array(
      closed({
        path: text,
        level: oneOf('unscanned', 'safe', 'queued', 'error', 'caution', 'suspicious', 'unsafe'),
      }),
    ),
  }),
  [`GET ${ofRepo}/treesize/{path}`]: closed({ path: text, size: Type.Integer() }),
  [`POST ${ofRepo}/preupload/{path}`]: preupload,
  [`POST ${ofRepo}/commit/{path}`]: commit,
  [`POST ${ofRepo}/super-squash/{path}`]: closed({ commitId: text }),
  [`PUT ${ofRepo}/settings`]: settings,
  [`GET ${ofRepo}/lfs-files`]: largeFiles,
  [`POST ${ofRepo}/lfs-files/duplicate`]: duplication,
  'POST /api/buckets/{namespace}/{name}/lfs-files/duplicate': duplication,
  'POST /api/inference-endpoints/{namespace}/auth-check/{perms}': endpointAccess,
  'POST /api/inference-endpoints/{namespace}/{name}/auth-check/{perms}': endpointAccess,
  [`GET ${ofRepo}/discussions`]: discussions,
  [`POST ${ofRepo}/discussions`]: closed({ num: Type.Number(), url, pullRequest: Type.Boolean() }),
  [`GET ${ofRepo}/discussions/{num}`]: discussion,
  [`POST ${ofRepo}/discussions/{num}/comment`]: closed({ newMessage: comment }),
  [`POST ${ofRepo}/discussions/{num}/comment/{commentId}/reaction`]: closed({
    updatedComment: comment,
  }),
  [`POST ${ofRepo}/discussions/{num}/title`]: closed({ newTitle: titleChange }),
  [`POST ${ofRepo}/discussions/{num}/status`]: closed({ newStatus: statusChange }),
  [`GET ${ofRepo}/discussions/{num}/storage`]: closed({
    estimatedStorage: Type.Number(),
    refDeleted: Type.Boolean(),
  }),
  'GET /api/trending': trending,
  'GET /api/quicksearch': quickSearch,
  'POST /api/quicksearch': quickSearch,
  'GET /api/models-tags-by-type': tagsByType,
  'GET /api/datasets-tags-by-type': tagsByType,
  'GET /api/organizations/{name}/settings/network-security': networkSecurity,
  'PATCH /api/organizations/{name}/settings/network-security': networkSecurity,
  'GET /api/organizations/{name}/resource-groups': Type.Array(resourceGroup),
  'POST /api/organizations/{name}/resource-groups': resourceGroup,
  'POST /api/organizations/{name}/resource-groups/{id}/users': resourceGroup,
  'GET /api/organizations/{name}/resource-groups/{id}': resourceGroup,
  'PATCH /api/organizations/{name}/resource-groups/{id}': resourceGroup,
  'POST /api/organizations/{name}/resource-groups/{id}/settings': resourceGroup,
  'DELETE /api/organizations/{name}/resource-groups/{id}': closed({ success: Type.Boolean() }),
  'PATCH /api/organizations/{name}/resource-groups/{id}/users/{username}': resourceGroup,
  'DELETE /api/organizations/{name}/resource-groups/{id}/users/{username}': resourceGroup,
  [`GET ${ofRepo}/resource-group`]: groupOfThing,
  [`POST ${ofRepo}/resource-group`]: groupedRepo,
  'GET /api/buckets/{namespace}/{name}/resource-group': groupOfThing,
  'POST /api/buckets/{namespace}/{name}/resource-group': groupedRepo,
  'GET /api/collections/{namespace}/{slug}/resource-group': groupOfThing,
  'POST /api/collections/{namespace}/{slug}/resource-group': closed({
    id: text,
    slug: text,
    title: text,
    private: Type.Boolean(),
    addedBy: text,
  }),
  [`GET ${ofRepo}/user-access-request/{status}`]: Type.Array(accessRequest),
  [`POST ${ofRepo}/user-access-request/batch`]: Type.Array(decision),
  'GET /api/buckets/{namespace}': Type.Array(bucket),
  'GET /api/buckets/{namespace}/{name}': bucket,
  'POST /api/buckets/{namespace}/{name}': closed({ url: text, name: text, id }),
  'POST /api/buckets/{namespace}/{name} 409': closed({ error: text, url: text, id }),
  'PUT /api/buckets/{namespace}/{name}/settings': closed({
    private: maybe(Type.Boolean()),
    cdnRegions: maybe(cdnRegions),
  }),
  'GET /api/collections': Type.Array(closed(collection)),
  'POST /api/collections': oneCollection,
  'GET /api/collections/{namespace}/{slug}': oneCollection,
  'PATCH /api/collections/{namespace}/{slug}': closed({
    success: Type.Literal(true),
    data: oneCollection,
  }),
  'POST /api/collections/{namespace}/{slug}/items': oneCollection,
  'GET /api/jobs/hardware': Type.Array(closed({ ...hardware, ephemeralStorage: text })),
  'GET /api/spaces/hardware': Type.Array(closed(hardware)),
  'GET /api/jobs/{namespace}': Type.Array(job),
  'POST /api/jobs/{namespace}': job,
  'GET /api/jobs/{namespace}/count': closed({ count: Type.Number() }),
  'GET /api/jobs/{namespace}/{id}': job,
  'POST /api/jobs/{namespace}/{id}/cancel': job,
  'POST /api/jobs/{namespace}/{id}/duplicate': job,
  'POST /api/jobs/{namespace}/auth-check/{perms}': namespaceAccess,
  'POST /api/jobs/{namespace}/{id}/auth-check/{perms}': namespaceAccess,
  'GET /api/users/{username}/socials': closed({ _id: text, user: text, socialHandles: closed({}) }),
  'GET /api/organizations/{name}/socials': closed({
    _id: text,
    org: text,
    socialHandles: closed({}),
  }),
  'PUT /api/jobs/{namespace}/{id}/labels': job,
  'PUT /api/jobs/{namespace}/{id}/expose': job,
  'GET /api/scheduled-jobs/{namespace}': Type.Array(scheduledJob),
  'POST /api/scheduled-jobs/{namespace}': scheduledJob,
  'GET /api/scheduled-jobs/{namespace}/{id}': scheduledJob,
  'POST /api/scheduled-jobs/{namespace}/{id}/suspend': scheduledJob,
  'POST /api/scheduled-jobs/{namespace}/{id}/resume': scheduledJob,
  'POST /api/scheduled-jobs/{namespace}/{id}/run': job,
  'POST /api/scheduled-jobs/{namespace}/{id}/schedule': scheduledJob,
  'PUT /api/scheduled-jobs/{namespace}/{id}/labels': scheduledJob,
  'GET /api/spaces/zero-gpu/quota': closed({
    base: Type.Number(),
    current: Type.Number(),
    resetsAt: nullable(time),
    overquotaUsed: maybe(Type.Number()),
  }),
  'GET /api/settings/webhooks': Type.Array(webhook),
  'POST /api/settings/webhooks': oneWebhook,
  'GET /api/settings/webhooks/{id}': oneWebhook,
  'POST /api/settings/webhooks/{id}': oneWebhook,
  'POST /api/settings/webhooks/{id}/enable': oneWebhook,
  'POST /api/settings/webhooks/{id}/disable': oneWebhook,
  'POST /api/settings/webhooks/{id}/replay/{logId}': closed({ status: Type.Number() }),
  [`GET ${ofSpace}/runtime`]: runtime,
  [`POST ${ofSpace}/hardware`]: runtime,
  [`POST ${ofSpace}/sleeptime`]: runtime,
  [`POST ${ofSpace}/pause`]: runtime,
  [`POST ${ofSpace}/restart`]: runtime,
  [`POST ${ofSpace}/dev-mode`]: runtime,
  [`POST ${ofSpace}/storage`]: runtime,
  [`DELETE ${ofSpace}/storage`]: runtime,
  [`GET ${ofSpace}/secrets`]: Type.Record(text, secret),
  [`GET ${ofSpace}/variables`]: Type.Record(text, variable),
}

/** Returns the paths of the members that every response with this shape has, such as `[].owner.name`. */
export function requiredMembers(schema: TSchema, at = ''): string[] {
  const { properties, required = [], items, anyOf } = schema as Shape
  const choices = anyOf?.map((choice) => requiredMembers(choice, at)) ?? []
  return [
    ...required.map((name) => `${at}.${name}`),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      requiredMembers(member, `${at}.${name}`),
    ),
    ...(items === undefined ? [] : requiredMembers(items, `${at}[]`)),
    // Where it may be null; of several shapes each has members of its own.
    ...(choices.length === 2 && anyOf?.some((choice) => (choice as Shape).type === 'null')
      ? choices.flat()
      : []),
  ]
}

/** Returns the paths of all members that a schema names. */
export function namedMembers(schema: TSchema, at = ''): string[] {
  const { properties, items, anyOf = [], allOf = [] } = schema as Shape
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => [
      `${at}.${name}`,
      ...namedMembers(member, `${at}.${name}`),
    ]),
    ...(items === undefined ? [] : namedMembers(items, `${at}[]`)),
    ...[...anyOf, ...allOf].flatMap((part) => namedMembers(part, at)),
  ]
}

interface Shape extends TSchema {
  type?: string
  properties?: Record<string, TSchema>
  required?: readonly string[]
  items?: TSchema
  anyOf?: readonly TSchema[]
  allOf?: readonly TSchema[]
}

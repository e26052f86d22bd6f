// Generated from the fixtures schema by `npm run docs`. It exists because the package's public
// types must not need typebox.

/** What a sandbox starts with. */
export interface FixturesFile {
  /** Address of this schema, for editors. */
  $schema?: string
  /** Users; the first one signs in where nobody says who. */
  users?: readonly UserFixtureInput[]
  /** Organizations. */
  organizations?: readonly OrganizationFixtureInput[]
  /** OAuth apps. */
  apps?: readonly AppFixtureInput[]
  /** Models, datasets and Spaces. */
  repos?: readonly RepoFixtureInput[]
  /** Collections. */
  collections?: readonly CollectionFixtureInput[]
  /** Webhooks. */
  webhooks?: readonly WebhookFixtureInput[]
  /** Jobs that ran. */
  jobs?: readonly JobFixtureInput[]
  /** Client metadata documents by their https address; the sandbox reads them instead of fetching. */
  clientMetadataDocuments?: Record<string, Record<string, unknown>>
  /** The sandbox clock at the start. */
  clock?: ClockFixtureInput
  /** Flags of start that a file may set, and further limits. */
  config?: FixturesConfigInput
  /** What a run left behind, as `GET export?log=1` writes it; a sandbox that loads one shows it, and delivers nothing until it is resumed. */
  log?: LogFixtureInput
}

/** What a sandbox starts with, complete. */
export interface Fixtures {
  /** Address of this schema, for editors. */
  readonly $schema?: string
  /** Users; the first one signs in where nobody says who. */
  readonly users: readonly UserFixture[]
  /** Organizations. */
  readonly organizations: readonly OrganizationFixture[]
  /** OAuth apps. */
  readonly apps: readonly AppFixture[]
  /** Models, datasets and Spaces. */
  readonly repos: readonly RepoFixture[]
  /** Collections. */
  readonly collections: readonly CollectionFixture[]
  /** Webhooks. */
  readonly webhooks: readonly WebhookFixture[]
  /** Jobs that ran. */
  readonly jobs: readonly JobFixture[]
  /** Client metadata documents by their https address; the sandbox reads them instead of fetching. */
  readonly clientMetadataDocuments: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The sandbox clock at the start. */
  readonly clock: ClockFixture
  /** Flags of start that a file may set, and further limits. */
  readonly config: FixturesConfig
  /** What a run left behind, as `GET export?log=1` writes it; a sandbox that loads one shows it, and delivers nothing until it is resumed. */
  readonly log?: LogFixture
}

/** A user. */
export interface UserFixtureInput {
  /** Id of the user: 24 hex digits. Default: from the username. */
  id?: string
  /** Name of the user: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  username: string
  /** Name as shown. Default: from the username. */
  fullname?: string
  /** E-mail address. Default: from the username: alice@example.com. */
  email?: string
  /** Whether the address was confirmed. Default: `true`. */
  emailVerified?: boolean
  /** Whether the user has the PRO plan. Default: `false`. */
  isPro?: boolean
  /** Whether a payment method is set up. Default: `false`. */
  canPay?: boolean
  /** Picture: an https URL or a path of the sandbox. Default: a generated one. */
  avatar?: string
  /** Address of the user’s own site. */
  website?: string
  /** Asked for on the login page; users without one are not asked. */
  password?: string
  /** User access tokens. */
  tokens?: readonly TokenFixtureInput[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A user, complete. */
export interface UserFixture {
  /** Id of the user: 24 hex digits. Default: from the username. */
  readonly id: string
  /** Name of the user: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  readonly username: string
  /** Name as shown. Default: from the username. */
  readonly fullname: string
  /** E-mail address. Default: from the username: alice@example.com. */
  readonly email: string
  /** Whether the address was confirmed. Default: `true`. */
  readonly emailVerified: boolean
  /** Whether the user has the PRO plan. Default: `false`. */
  readonly isPro: boolean
  /** Whether a payment method is set up. Default: `false`. */
  readonly canPay: boolean
  /** Picture: an https URL or a path of the sandbox. Default: a generated one. */
  readonly avatar?: string
  /** Address of the user’s own site. */
  readonly website?: string
  /** Asked for on the login page; users without one are not asked. */
  readonly password?: string
  /** User access tokens. */
  readonly tokens: readonly TokenFixture[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** A user access token. */
export interface TokenFixtureInput {
  /** The token; starts with hf_sandbox. */
  token: string
  /** What the token is called in the settings. Default: from the user and the role. */
  name?: string
  /** What it may do. Default: `write`. */
  role?: 'read' | 'write' | 'fineGrained'
  /** Rights of a fine-grained token. */
  fineGrained?: {
    /** Permissions on users, organizations and repos. */
    scoped?: readonly {
      /** What the permissions concern. */
      entity: {
        /** Kind of what it concerns. */
        type: 'user' | 'org' | 'model' | 'dataset' | 'space' | 'collection'
        /** User, organization or namespace/name of the repo. */
        name: string
      }
      /** Permissions in the hub’s words, such as repo.content.read. */
      permissions: readonly string[]
    }[]
    /** Permissions on the whole account, such as discussion.write. */
    global?: readonly string[]
    /** Whether it reads gated repos. Default: `false`. */
    canReadGatedRepos?: boolean
  }
  /** How long it lives once loaded; if left out, for ever (90s, 15m, 8h, 30d). */
  expiresIn?: string
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A user access token, complete. */
export interface TokenFixture {
  /** The token; starts with hf_sandbox. */
  readonly token: string
  /** What the token is called in the settings. Default: from the user and the role. */
  readonly name: string
  /** What it may do. Default: `write`. */
  readonly role: 'read' | 'write' | 'fineGrained'
  /** Rights of a fine-grained token. */
  readonly fineGrained?: {
    /** Permissions on users, organizations and repos. */
    readonly scoped: readonly {
      /** What the permissions concern. */
      readonly entity: {
        /** Kind of what it concerns. */
        readonly type: 'user' | 'org' | 'model' | 'dataset' | 'space' | 'collection'
        /** User, organization or namespace/name of the repo. */
        readonly name: string
      }
      /** Permissions in the hub’s words, such as repo.content.read. */
      readonly permissions: readonly string[]
    }[]
    /** Permissions on the whole account, such as discussion.write. */
    readonly global: readonly string[]
    /** Whether it reads gated repos. Default: `false`. */
    readonly canReadGatedRepos: boolean
  }
  /** How long it lives once loaded; if left out, for ever (90s, 15m, 8h, 30d). */
  readonly expiresIn?: string
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** An organization. */
export interface OrganizationFixtureInput {
  /** Id of the organization: 24 hex digits. Default: from the name. */
  id?: string
  /** Name of the organization: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  name: string
  /** Name as shown. Default: from the name. */
  fullname?: string
  /** Plan. Default: `free`. */
  plan?: 'free' | 'team' | 'enterprise' | 'plus' | 'academia'
  /** Whether a payment method is set up. Default: `false`. */
  canPay?: boolean
  /** Picture: an https URL or a path of the sandbox. Default: a generated one. */
  avatar?: string
  /** Members and their roles. */
  members?: readonly MemberFixtureInput[]
  /** Resource groups. */
  resourceGroups?: readonly ResourceGroupFixtureInput[]
  /** What bars members from the organization’s resources. */
  securityRestrictions?: readonly SecurityRestrictionFixtureInput[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** An organization, complete. */
export interface OrganizationFixture {
  /** Id of the organization: 24 hex digits. Default: from the name. */
  readonly id: string
  /** Name of the organization: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  readonly name: string
  /** Name as shown. Default: from the name. */
  readonly fullname: string
  /** Plan. Default: `free`. */
  readonly plan: 'free' | 'team' | 'enterprise' | 'plus' | 'academia'
  /** Whether a payment method is set up. Default: `false`. */
  readonly canPay: boolean
  /** Picture: an https URL or a path of the sandbox. Default: a generated one. */
  readonly avatar?: string
  /** Members and their roles. */
  readonly members: readonly MemberFixture[]
  /** Resource groups. */
  readonly resourceGroups: readonly ResourceGroupFixture[]
  /** What bars members from the organization’s resources. */
  readonly securityRestrictions: readonly SecurityRestrictionFixture[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** A member and the role. */
export interface MemberFixtureInput {
  /** Username. */
  user: string
  /** Role. Default: `read`. */
  role?: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
}

/** A member and the role, complete. */
export interface MemberFixture {
  /** Username. */
  readonly user: string
  /** Role. Default: `read`. */
  readonly role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
}

/** A resource group. */
export interface ResourceGroupFixtureInput {
  /** Id of the resource group: 24 hex digits. Default: from the organization and the name. */
  id?: string
  /** Name of the resource group. */
  name: string
  /** Members and their roles in the group. */
  members?: readonly MemberFixtureInput[]
}

/** A resource group, complete. */
export interface ResourceGroupFixture {
  /** Id of the resource group: 24 hex digits. Default: from the organization and the name. */
  readonly id: string
  /** Name of the resource group. */
  readonly name: string
  /** Members and their roles in the group. */
  readonly members: readonly MemberFixture[]
}

/** A restriction on members. */
export interface SecurityRestrictionFixtureInput {
  /** What is missing. */
  type: 'mfa' | 'token-policy' | 'token-revoked' | 'sso' | 'ip'
  /** Usernames. Default: every member. */
  users?: readonly string[]
}

/** A restriction on members, complete. */
export interface SecurityRestrictionFixture {
  /** What is missing. */
  readonly type: 'mfa' | 'token-policy' | 'token-revoked' | 'sso' | 'ip'
  /** Usernames. Default: every member. */
  readonly users?: readonly string[]
}

/** An OAuth app. */
export interface AppFixtureInput {
  /** Name as shown on the consent page. */
  name: string
  /** client_id: a UUID. Default: from the name. */
  clientId?: string
  /** client_secret; an app without one is public (RFC 6749 §2.1). */
  clientSecret?: string
  /** Addresses that codes may be sent to; on http loopback hosts any port matches (RFC 8252 §7.3). */
  redirectUris?: readonly string[]
  /** Scopes of a request that names none. Users are asked for others, which strict and token exchange refuse; unknown names are left out and reported. Default: `["openid","profile"]`. */
  scopes?: readonly string[]
  /** User that the app belongs to. */
  owner?: string
  /** Organization that the app is bound to. */
  organization?: string
  /** What the hub’s support has switched on; token exchange needs a secret and an organization. */
  privileges?: readonly 'token-exchange'[]
  /** Life of its access tokens; if left out, config.lifetimes.accessToken (90s, 15m, 8h, 30d). */
  tokenDuration?: string
  /** Users outside these organizations are refused. Default: nobody is. */
  authorizedOrganizations?: readonly string[]
  /** Picture on the consent page: a path or URL of the sandbox, or a data: URL; of another site only the address is shown. */
  logoUri?: string
  /** Site of the app, linked on the consent page. */
  clientUri?: string
  /** Privacy policy of the app, linked on the consent page. */
  policyUri?: string
  /** Terms of service of the app, linked on the consent page. */
  tosUri?: string
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** An OAuth app, complete. */
export interface AppFixture {
  /** Name as shown on the consent page. */
  readonly name: string
  /** client_id: a UUID. Default: from the name. */
  readonly clientId: string
  /** client_secret; an app without one is public (RFC 6749 §2.1). */
  readonly clientSecret?: string
  /** Addresses that codes may be sent to; on http loopback hosts any port matches (RFC 8252 §7.3). */
  readonly redirectUris: readonly string[]
  /** Scopes of a request that names none. Users are asked for others, which strict and token exchange refuse; unknown names are left out and reported. Default: `["openid","profile"]`. */
  readonly scopes: readonly string[]
  /** User that the app belongs to. */
  readonly owner?: string
  /** Organization that the app is bound to. */
  readonly organization?: string
  /** What the hub’s support has switched on; token exchange needs a secret and an organization. */
  readonly privileges: readonly 'token-exchange'[]
  /** Life of its access tokens; if left out, config.lifetimes.accessToken (90s, 15m, 8h, 30d). */
  readonly tokenDuration?: string
  /** Users outside these organizations are refused. Default: nobody is. */
  readonly authorizedOrganizations?: readonly string[]
  /** Picture on the consent page: a path or URL of the sandbox, or a data: URL; of another site only the address is shown. */
  readonly logoUri?: string
  /** Site of the app, linked on the consent page. */
  readonly clientUri?: string
  /** Privacy policy of the app, linked on the consent page. */
  readonly policyUri?: string
  /** Terms of service of the app, linked on the consent page. */
  readonly tosUri?: string
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** A repo. */
export interface RepoFixtureInput {
  /** Id of the repo: 24 hex digits. Default: from type and name. */
  id?: string
  /** Kind of repo. Default: `model`. */
  type?: 'model' | 'dataset' | 'space'
  /** namespace/name; the namespace is a user or an organization. */
  name: string
  /** Whether only its owners read it. Default: `false`. */
  private?: boolean
  /** Whether users must ask for access, and who decides. Default: `false`. */
  gated?: false | 'auto' | 'manual'
  /** Who asked for access to a gated repo. */
  access?: readonly AccessFixtureInput[]
  /** User that made it. Default: the owner or the first administrator. */
  creator?: string
  /** Resource group of the organization. */
  resourceGroup?: string
  /** SDK of a Space; if left out, gradio. */
  sdk?: 'gradio' | 'docker' | 'static' | 'streamlit'
  /** What it is, in a sentence. */
  description?: string
  /** Likes. Default: `0`. */
  likes?: number
  /** Downloads. Default: `0`. */
  downloads?: number
  /** Files by path: their text, or {base64}. */
  files?: Record<
    string,
    | string
    | {
        /** Bytes, base64. */
        base64: string
      }
  >
  /** Tags on the newest commit: their names, or {name, message}. */
  tags?: readonly (string | TagFixtureInput)[]
  /** Discussions and pull requests, in the order of their numbers. */
  discussions?: readonly DiscussionFixtureInput[]
  /** What an export could not take along, for people to read: contents in Git LFS, history, branches. Loading a file passes it over. */
  leftOut?: readonly string[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A repo, complete. */
export interface RepoFixture {
  /** Id of the repo: 24 hex digits. Default: from type and name. */
  readonly id: string
  /** Kind of repo. Default: `model`. */
  readonly type: 'model' | 'dataset' | 'space'
  /** namespace/name; the namespace is a user or an organization. */
  readonly name: string
  /** Whether only its owners read it. Default: `false`. */
  readonly private: boolean
  /** Whether users must ask for access, and who decides. Default: `false`. */
  readonly gated: false | 'auto' | 'manual'
  /** Who asked for access to a gated repo. */
  readonly access: readonly AccessFixture[]
  /** User that made it. Default: the owner or the first administrator. */
  readonly creator?: string
  /** Resource group of the organization. */
  readonly resourceGroup?: string
  /** SDK of a Space; if left out, gradio. */
  readonly sdk?: 'gradio' | 'docker' | 'static' | 'streamlit'
  /** What it is, in a sentence. */
  readonly description?: string
  /** Likes. Default: `0`. */
  readonly likes: number
  /** Downloads. Default: `0`. */
  readonly downloads: number
  /** Files by path: their text, or {base64}. */
  readonly files: Readonly<
    Record<
      string,
      | string
      | {
          /** Bytes, base64. */
          readonly base64: string
        }
    >
  >
  /** Tags on the newest commit: their names, or {name, message}. */
  readonly tags: readonly (string | TagFixture)[]
  /** Discussions and pull requests, in the order of their numbers. */
  readonly discussions: readonly DiscussionFixture[]
  /** What an export could not take along, for people to read: contents in Git LFS, history, branches. Loading a file passes it over. */
  readonly leftOut?: readonly string[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** A request for access to a gated repo. */
export interface AccessFixtureInput {
  /** Username. */
  user: string
  /** Decision. Default: `accepted`. */
  status?: 'pending' | 'accepted' | 'rejected'
  /** What the user filled in. */
  fields?: Record<string, string>
  /** Why it was refused. */
  rejectionReason?: string
  /** When it was decided (ISO 8601). Default: from the repo. */
  at?: string
}

/** A request for access to a gated repo, complete. */
export interface AccessFixture {
  /** Username. */
  readonly user: string
  /** Decision. Default: `accepted`. */
  readonly status: 'pending' | 'accepted' | 'rejected'
  /** What the user filled in. */
  readonly fields?: Readonly<Record<string, string>>
  /** Why it was refused. */
  readonly rejectionReason?: string
  /** When it was decided (ISO 8601). Default: from the repo. */
  readonly at: string
}

/** A tag with a message. */
export interface TagFixtureInput {
  /** Name of the tag. */
  name: string
  /** What it says. */
  message: string
  /** Who made it. Default: the creator of the repo. */
  tagger?: {
    /** Name. */
    name: string
    /** E-mail address. */
    email: string
  }
  /** When it was made, in the time zone that it names. Default: with the repo (ISO 8601). */
  createdAt?: string
}

/** A tag with a message, complete. */
export interface TagFixture {
  /** Name of the tag. */
  readonly name: string
  /** What it says. */
  readonly message: string
  /** Who made it. Default: the creator of the repo. */
  readonly tagger?: {
    /** Name. */
    readonly name: string
    /** E-mail address. */
    readonly email: string
  }
  /** When it was made, in the time zone that it names. Default: with the repo (ISO 8601). */
  readonly createdAt?: string
}

/** A discussion or pull request. */
export interface DiscussionFixtureInput {
  /** Id of the discussion: 24 hex digits. Default: from the repo and the number. */
  id?: string
  /** Number in the repo; discussions and pull requests share one count. Default: from its place in the list. */
  num?: number
  /** Title. */
  title: string
  /** Username. */
  author: string
  /** Whether it proposes a change. Default: `false`. */
  isPullRequest?: boolean
  /** Status; draft and merged: pull requests only. Default: `open`. */
  status?: 'draft' | 'open' | 'closed' | 'merged'
  /** Whether it is pinned. Default: `false`. */
  pinned?: boolean
  /** Markdown of the opening comment. */
  content?: string
  /** Further comments. */
  comments?: readonly CommentFixtureInput[]
  /** Files that a pull request adds or changes: their text, or {base64}. */
  files?: Record<
    string,
    | string
    | {
        /** Bytes, base64. */
        base64: string
      }
  >
  /** When it was opened (ISO 8601). Default: from the repo. */
  createdAt?: string
}

/** A discussion or pull request, complete. */
export interface DiscussionFixture {
  /** Id of the discussion: 24 hex digits. Default: from the repo and the number. */
  readonly id: string
  /** Number in the repo; discussions and pull requests share one count. Default: from its place in the list. */
  readonly num: number
  /** Title. */
  readonly title: string
  /** Username. */
  readonly author: string
  /** Whether it proposes a change. Default: `false`. */
  readonly isPullRequest: boolean
  /** Status; draft and merged: pull requests only. Default: `open`. */
  readonly status: 'draft' | 'open' | 'closed' | 'merged'
  /** Whether it is pinned. Default: `false`. */
  readonly pinned: boolean
  /** Markdown of the opening comment. */
  readonly content: string
  /** Further comments. */
  readonly comments: readonly CommentFixture[]
  /** Files that a pull request adds or changes: their text, or {base64}. */
  readonly files?: Readonly<
    Record<
      string,
      | string
      | {
          /** Bytes, base64. */
          readonly base64: string
        }
    >
  >
  /** When it was opened (ISO 8601). Default: from the repo. */
  readonly createdAt: string
}

/** A comment. */
export interface CommentFixtureInput {
  /** Id of the comment: 24 hex digits. Default: from the discussion and its place in it. */
  id?: string
  /** Username. */
  author: string
  /** Markdown. */
  content: string
  /** Whether it was hidden. Default: `false`. */
  hidden?: boolean
  /** When it was written (ISO 8601). Default: from the discussion. */
  createdAt?: string
}

/** A comment, complete. */
export interface CommentFixture {
  /** Id of the comment: 24 hex digits. Default: from the discussion and its place in it. */
  readonly id: string
  /** Username. */
  readonly author: string
  /** Markdown. */
  readonly content: string
  /** Whether it was hidden. Default: `false`. */
  readonly hidden: boolean
  /** When it was written (ISO 8601). Default: from the discussion. */
  readonly createdAt: string
}

/** A collection. */
export interface CollectionFixtureInput {
  /** Id of the collection: 24 hex digits. Default: from owner and title. */
  id?: string
  /** User or organization. */
  owner: string
  /** Title. */
  title: string
  /** Description. */
  description?: string
  /** Whether only its owner sees it. Default: `false`. */
  private?: boolean
  /** Colour. Default: `orange`. */
  theme?: 'orange' | 'blue' | 'green' | 'purple' | 'pink' | 'indigo'
  /** Items in their order. */
  items?: readonly CollectionItemFixtureInput[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A collection, complete. */
export interface CollectionFixture {
  /** Id of the collection: 24 hex digits. Default: from owner and title. */
  readonly id: string
  /** User or organization. */
  readonly owner: string
  /** Title. */
  readonly title: string
  /** Description. */
  readonly description?: string
  /** Whether only its owner sees it. Default: `false`. */
  readonly private: boolean
  /** Colour. Default: `orange`. */
  readonly theme: 'orange' | 'blue' | 'green' | 'purple' | 'pink' | 'indigo'
  /** Items in their order. */
  readonly items: readonly CollectionItemFixture[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** An item of a collection. */
export interface CollectionItemFixtureInput {
  /** Kind of item. */
  type: 'model' | 'dataset' | 'space' | 'paper'
  /** namespace/name of a repo, or id of a paper. */
  target: string
  /** Note. */
  note?: string
}

/** An item of a collection, complete. */
export interface CollectionItemFixture {
  /** Kind of item. */
  readonly type: 'model' | 'dataset' | 'space' | 'paper'
  /** namespace/name of a repo, or id of a paper. */
  readonly target: string
  /** Note. */
  readonly note?: string
}

/** A webhook. */
export interface WebhookFixtureInput {
  /** Id of the webhook: 24 hex digits. Default: from owner and place in the list. */
  id?: string
  /** User that the webhook belongs to. */
  owner: string
  /** Name, shown in the sandbox only. */
  name?: string
  /** Address that gets the deliveries; either this or job. */
  url?: string
  /** Job that is run instead. */
  job?: JobSpecFixtureInput
  /** Whose events are delivered. */
  watched: readonly WatchedFixtureInput[]
  /** Kinds of events. Default: `["repo","discussion"]`. */
  domains?: readonly ('repo' | 'discussion')[]
  /** Sent as X-Webhook-Secret; ASCII without spaces around it, base64 under the profile standard-webhooks. */
  secret?: string
  /** Whether it delivers. Default: `enabled`. */
  status?: 'enabled' | 'disabled' | 'suspended-after-failure'
  /** In which order its deliveries are sent. Default: `parallel`. */
  order?: 'parallel' | 'ordered' | 'shuffled'
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A webhook, complete. */
export interface WebhookFixture {
  /** Id of the webhook: 24 hex digits. Default: from owner and place in the list. */
  readonly id: string
  /** User that the webhook belongs to. */
  readonly owner: string
  /** Name, shown in the sandbox only. */
  readonly name?: string
  /** Address that gets the deliveries; either this or job. */
  readonly url?: string
  /** Job that is run instead. */
  readonly job?: JobSpecFixture
  /** Whose events are delivered. */
  readonly watched: readonly WatchedFixture[]
  /** Kinds of events. Default: `["repo","discussion"]`. */
  readonly domains: readonly ('repo' | 'discussion')[]
  /** Sent as X-Webhook-Secret; ASCII without spaces around it, base64 under the profile standard-webhooks. */
  readonly secret?: string
  /** Whether it delivers. Default: `enabled`. */
  readonly status: 'enabled' | 'disabled' | 'suspended-after-failure'
  /** In which order its deliveries are sent. Default: `parallel`. */
  readonly order: 'parallel' | 'ordered' | 'shuffled'
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** Job that is run instead. */
export interface JobSpecFixtureInput {
  /** Image to run; either this or spaceId. */
  dockerImage?: string
  /** Space to run, namespace/name. */
  spaceId?: string
  /** Command. */
  command?: readonly string[]
  /** Arguments. */
  arguments?: readonly string[]
  /** Environment variables. */
  environment?: Record<string, string>
  /** Secret environment variables. */
  secrets?: Record<string, string>
  /** Hardware. Default: `cpu-basic`. */
  flavor?: string
  /** Longest run; if left out, no limit (90s, 15m, 8h, 30d). */
  timeout?: string
  /** Labels. */
  labels?: Record<string, string>
}

/** Job that is run instead, complete. */
export interface JobSpecFixture {
  /** Image to run; either this or spaceId. */
  readonly dockerImage?: string
  /** Space to run, namespace/name. */
  readonly spaceId?: string
  /** Command. */
  readonly command: readonly string[]
  /** Arguments. */
  readonly arguments: readonly string[]
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string>>
  /** Secret environment variables. */
  readonly secrets: Readonly<Record<string, string>>
  /** Hardware. Default: `cpu-basic`. */
  readonly flavor: string
  /** Longest run; if left out, no limit (90s, 15m, 8h, 30d). */
  readonly timeout?: string
  /** Labels. */
  readonly labels: Readonly<Record<string, string>>
}

/** What is watched. */
export interface WatchedFixtureInput {
  /** Kind of what is watched. */
  type: 'user' | 'org' | 'model' | 'dataset' | 'space'
  /** User, organization, or namespace/name of a repo. */
  name: string
}

/** What is watched, complete. */
export interface WatchedFixture {
  /** Kind of what is watched. */
  readonly type: 'user' | 'org' | 'model' | 'dataset' | 'space'
  /** User, organization, or namespace/name of a repo. */
  readonly name: string
}

/** A job that ran. */
export interface JobFixtureInput {
  /** Id of the job: 24 hex digits. Default: from namespace and place in the list. */
  id?: string
  /** User or organization that it runs for. */
  namespace: string
  /** User that started it. Default: from the namespace: the user, or the first admin. */
  initiator?: string
  /** Image to run; either this or spaceId. */
  dockerImage?: string
  /** Space to run, namespace/name. */
  spaceId?: string
  /** Command. */
  command?: readonly string[]
  /** Arguments. */
  arguments?: readonly string[]
  /** Environment variables. */
  environment?: Record<string, string>
  /** Secret environment variables. */
  secrets?: Record<string, string>
  /** Hardware. Default: `cpu-basic`. */
  flavor?: string
  /** Longest run; if left out, no limit (90s, 15m, 8h, 30d). */
  timeout?: string
  /** Labels. */
  labels?: Record<string, string>
  /** How it ended: a file holds past runs only. Default: `COMPLETED`. */
  stage?: 'COMPLETED' | 'CANCELED' | 'ERROR'
  /** What the hub said about its end. */
  message?: string
  /** Lines that it printed. */
  logs?: readonly string[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  createdAt?: string
}

/** A job that ran, complete. */
export interface JobFixture {
  /** Id of the job: 24 hex digits. Default: from namespace and place in the list. */
  readonly id: string
  /** User or organization that it runs for. */
  readonly namespace: string
  /** User that started it. Default: from the namespace: the user, or the first admin. */
  readonly initiator: string
  /** Image to run; either this or spaceId. */
  readonly dockerImage?: string
  /** Space to run, namespace/name. */
  readonly spaceId?: string
  /** Command. */
  readonly command: readonly string[]
  /** Arguments. */
  readonly arguments: readonly string[]
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string>>
  /** Secret environment variables. */
  readonly secrets: Readonly<Record<string, string>>
  /** Hardware. Default: `cpu-basic`. */
  readonly flavor: string
  /** Longest run; if left out, no limit (90s, 15m, 8h, 30d). */
  readonly timeout?: string
  /** Labels. */
  readonly labels: Readonly<Record<string, string>>
  /** How it ended: a file holds past runs only. Default: `COMPLETED`. */
  readonly stage: 'COMPLETED' | 'CANCELED' | 'ERROR'
  /** What the hub said about its end. */
  readonly message?: string
  /** Lines that it printed. */
  readonly logs: readonly string[]
  /** When it was made (ISO 8601). Default: from 2026-01-01, or the clock where that is earlier. */
  readonly createdAt: string
}

/** The sandbox clock at the start. */
export interface ClockFixtureInput {
  /** Time at the start. Default: real time (ISO 8601). */
  now?: string
  /** Whether the clock stands still. Default: `false`. */
  frozen?: boolean
}

/** The sandbox clock at the start, complete. */
export interface ClockFixture {
  /** Time at the start. Default: real time (ISO 8601). */
  readonly now?: string
  /** Whether the clock stands still. Default: `false`. */
  readonly frozen: boolean
}

/** Flags of start that a file may set, and further limits. */
export interface FixturesConfigInput {
  /** Port to listen on; 0 = any free port. */
  port?: number
  /** Serve with a self-signed certificate. */
  https?: boolean
  /** Keep the state in memory only. */
  ephemeral?: boolean
  /** Approve consent and devices without a page: true or a username. */
  autoApprove?: boolean | string
  /** Retry and signature rules of deliveries. */
  deliveryProfile?: 'hub' | 'hub-2026-08' | 'ci' | 'standard-webhooks'
  /** Enforce the request limits of the hub. */
  rateLimits?: boolean
  /** Disable the leniencies of the hub towards clients. */
  strict?: boolean
  /** Seed of ids, codes, tokens and keys. */
  seed?: number
  /** Log level on stderr. */
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Open the dashboard in the browser. */
  open?: boolean
  /** Print the URLs as one line of JSON. */
  json?: boolean
  /** How long things live on the sandbox clock. */
  lifetimes?: LifetimesConfigInput
  /** Device authorization. */
  device?: DeviceConfigInput
  /** How much is kept. */
  caps?: CapsConfigInput
  /** Private JWK that signs ID tokens. Default: made per sandbox. */
  signingKey?: Record<string, unknown>
}

/** Flags of start that a file may set, and further limits, complete. */
export interface FixturesConfig {
  /** Port to listen on; 0 = any free port. */
  readonly port?: number
  /** Serve with a self-signed certificate. */
  readonly https?: boolean
  /** Keep the state in memory only. */
  readonly ephemeral?: boolean
  /** Approve consent and devices without a page: true or a username. */
  readonly autoApprove?: boolean | string
  /** Retry and signature rules of deliveries. */
  readonly deliveryProfile?: 'hub' | 'hub-2026-08' | 'ci' | 'standard-webhooks'
  /** Enforce the request limits of the hub. */
  readonly rateLimits?: boolean
  /** Disable the leniencies of the hub towards clients. */
  readonly strict?: boolean
  /** Seed of ids, codes, tokens and keys. */
  readonly seed?: number
  /** Log level on stderr. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Open the dashboard in the browser. */
  readonly open?: boolean
  /** Print the URLs as one line of JSON. */
  readonly json?: boolean
  /** How long things live on the sandbox clock. */
  readonly lifetimes: LifetimesConfig
  /** Device authorization. */
  readonly device: DeviceConfig
  /** How much is kept. */
  readonly caps: CapsConfig
  /** Private JWK that signs ID tokens. Default: made per sandbox. */
  readonly signingKey?: Readonly<Record<string, unknown>>
}

/** How long things live on the sandbox clock. */
export interface LifetimesConfigInput {
  /** Authorization code (90s, 15m, 8h, 30d). Default: `60s`. */
  code?: string
  /** Access token of an app (90s, 15m, 8h, 30d). Default: `8h`. */
  accessToken?: string
  /** ID token, from its `iat`, which is never later than real time (90s, 15m, 8h, 30d). Default: `1h`. */
  idToken?: string
  /** Device code and user code (90s, 15m, 8h, 30d). Default: `5m`. */
  deviceCode?: string
  /** Sign-in of a browser (90s, 15m, 8h, 30d). Default: `30d`. */
  session?: string
}

/** How long things live on the sandbox clock, complete. */
export interface LifetimesConfig {
  /** Authorization code (90s, 15m, 8h, 30d). Default: `60s`. */
  readonly code: string
  /** Access token of an app (90s, 15m, 8h, 30d). Default: `8h`. */
  readonly accessToken: string
  /** ID token, from its `iat`, which is never later than real time (90s, 15m, 8h, 30d). Default: `1h`. */
  readonly idToken: string
  /** Device code and user code (90s, 15m, 8h, 30d). Default: `5m`. */
  readonly deviceCode: string
  /** Sign-in of a browser (90s, 15m, 8h, 30d). Default: `30d`. */
  readonly session: string
}

/** Device authorization. */
export interface DeviceConfigInput {
  /** Sent as interval if set; clients wait 5 s otherwise (RFC 8628 §3.5) (90s, 15m, 8h, 30d). */
  interval?: string
  /** Whether verification_uri_complete is sent. Default: `false`. */
  verificationUriComplete?: boolean
}

/** Device authorization, complete. */
export interface DeviceConfig {
  /** Sent as interval if set; clients wait 5 s otherwise (RFC 8628 §3.5) (90s, 15m, 8h, 30d). */
  readonly interval?: string
  /** Whether verification_uri_complete is sent. Default: `false`. */
  readonly verificationUriComplete: boolean
}

/** How much is kept. */
export interface CapsConfigInput {
  /** Requests in the log. Default: `1000`. */
  requests?: number
  /** Memory for the request log, in bytes. Default: `33554432`. */
  requestBytes?: number
  /** Finished deliveries that are remembered. Default: `20000`. */
  deliveries?: number
  /** Bytes of remembered delivery bodies. Default: `67108864`. */
  deliveryBytes?: number
  /** Deliveries that wait to be sent; the oldest one is cancelled to make room. Default: `50000`. */
  waitingDeliveries?: number
  /** Bytes of the bodies of waiting deliveries. Default: `67108864`. */
  waitingBytes?: number
  /** Webhooks of all users. Default: `1000`. */
  webhooks?: number
  /** Rows of the audit logs. Default: `100000`. */
  auditRows?: number
  /** Consents that are remembered; the oldest is asked for again. Default: `10000`. */
  consents?: number
  /** Apps that registered themselves, and as many known by their metadata documents; the oldest one that nobody uses makes room. Default: `1000`. */
  registrations?: number
  /** Links at a time; those that have ended make room. Default: `100`. */
  links?: number
  /** Snapshots that are kept in memory. Default: `100`. */
  snapshots?: number
  /** Bytes of the snapshots that are kept in memory. Default: `268435456`. */
  snapshotBytes?: number
  /** Forks at a time. Default: `200`. */
  forks?: number
}

/** How much is kept, complete. */
export interface CapsConfig {
  /** Requests in the log. Default: `1000`. */
  readonly requests: number
  /** Memory for the request log, in bytes. Default: `33554432`. */
  readonly requestBytes: number
  /** Finished deliveries that are remembered. Default: `20000`. */
  readonly deliveries: number
  /** Bytes of remembered delivery bodies. Default: `67108864`. */
  readonly deliveryBytes: number
  /** Deliveries that wait to be sent; the oldest one is cancelled to make room. Default: `50000`. */
  readonly waitingDeliveries: number
  /** Bytes of the bodies of waiting deliveries. Default: `67108864`. */
  readonly waitingBytes: number
  /** Webhooks of all users. Default: `1000`. */
  readonly webhooks: number
  /** Rows of the audit logs. Default: `100000`. */
  readonly auditRows: number
  /** Consents that are remembered; the oldest is asked for again. Default: `10000`. */
  readonly consents: number
  /** Apps that registered themselves, and as many known by their metadata documents; the oldest one that nobody uses makes room. Default: `1000`. */
  readonly registrations: number
  /** Links at a time; those that have ended make room. Default: `100`. */
  readonly links: number
  /** Snapshots that are kept in memory. Default: `100`. */
  readonly snapshots: number
  /** Bytes of the snapshots that are kept in memory. Default: `268435456`. */
  readonly snapshotBytes: number
  /** Forks at a time. Default: `200`. */
  readonly forks: number
}

/** What a run left behind, as `GET export?log=1` writes it; a sandbox that loads one shows it, and delivers nothing until it is resumed. */
export interface LogFixtureInput {
  /** Format of the records. */
  format: number
  /** When the log was written, in real time (ISO 8601). */
  madeAt: string
  /** Version of hub-sandbox that wrote it. */
  madeBy: string
  /** Program that was run. */
  command?: string
  /** How it ended. */
  exitCode?: number
  /** Whether the clock runs again once the run is resumed. */
  clockRan: boolean
  /** Real time from its beginning to its end. */
  lengthMs: number
  /** How far the ids of a seed had come. */
  ids?: LoggedIdsInput
  /** What the run left behind and this does not hold, in sentences. */
  leftOut?: readonly string[]
  /** Requests, oldest first. */
  requests?: readonly LoggedRequestInput[]
  /** Moves of the clock, oldest first. */
  clockMoves?: readonly LoggedMoveInput[]
  /** What happened, oldest first. */
  facts?: readonly LoggedFactInput[]
  /** Tokens, deliveries and so on, as the state has them. */
  records?: LoggedRecordsInput
}

/** What a run left behind, as `GET export?log=1` writes it; a sandbox that loads one shows it, and delivers nothing until it is resumed, complete. */
export interface LogFixture {
  /** Format of the records. */
  readonly format: number
  /** When the log was written, in real time (ISO 8601). */
  readonly madeAt: string
  /** Version of hub-sandbox that wrote it. */
  readonly madeBy: string
  /** Program that was run. */
  readonly command?: string
  /** How it ended. */
  readonly exitCode?: number
  /** Whether the clock runs again once the run is resumed. */
  readonly clockRan: boolean
  /** Real time from its beginning to its end. */
  readonly lengthMs: number
  /** How far the ids of a seed had come. */
  readonly ids?: LoggedIds
  /** What the run left behind and this does not hold, in sentences. */
  readonly leftOut: readonly string[]
  /** Requests, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Moves of the clock, oldest first. */
  readonly clockMoves: readonly LoggedMove[]
  /** What happened, oldest first. */
  readonly facts: readonly LoggedFact[]
  /** Tokens, deliveries and so on, as the state has them. */
  readonly records: LoggedRecords
}

/** How far the ids of a seed had come. */
export interface LoggedIdsInput {
  /** Run of the data folder. */
  generation: number
  /** Bytes handed out, by purpose. */
  streams?: Record<string, number>
}

/** How far the ids of a seed had come, complete. */
export interface LoggedIds {
  /** Run of the data folder. */
  readonly generation: number
  /** Bytes handed out, by purpose. */
  readonly streams?: Readonly<Record<string, number>>
}

/** A request and its answer. */
export interface LoggedRequestInput {
  /** Id of the request. */
  id: string
  /** Segment of the run, where it has several: a reset or a restore begins a new one, a fork has its own. */
  segment?: number
  /** When it came, on the sandbox clock (ISO 8601). */
  at: string
  /** When its answer had gone (ISO 8601). */
  endedAt: string
  /** When it came, in real time since the log began. */
  sinceMs: number
  /** In real time. */
  durationMs: number
  /** HTTP method. */
  method: string
  /** Path and query. */
  url: string
  /** HTTP status; 0 = the connection was cut. */
  status: number
  /** App. */
  clientId?: string
  /** User. */
  userId?: string
  /** `grant_type` of a token request. */
  grantType?: string
  /** Error code of the answer. */
  error?: string
  /** Why it was refused. */
  detail?: string
  /** What a page told its user of it. */
  message?: string
  /** Fault rule that changed the answer. */
  faultId?: string
  /** What the sandbox fetched before it could answer. */
  documentFetch?: LoggedFetchInput
  /** A request or an answer. */
  request: LoggedMessageInput
  /** A request or an answer. */
  response: LoggedMessageInput
}

/** A request and its answer, complete. */
export interface LoggedRequest {
  /** Id of the request. */
  readonly id: string
  /** Segment of the run, where it has several: a reset or a restore begins a new one, a fork has its own. */
  readonly segment?: number
  /** When it came, on the sandbox clock (ISO 8601). */
  readonly at: string
  /** When its answer had gone (ISO 8601). */
  readonly endedAt: string
  /** When it came, in real time since the log began. */
  readonly sinceMs: number
  /** In real time. */
  readonly durationMs: number
  /** HTTP method. */
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** HTTP status; 0 = the connection was cut. */
  readonly status: number
  /** App. */
  readonly clientId?: string
  /** User. */
  readonly userId?: string
  /** `grant_type` of a token request. */
  readonly grantType?: string
  /** Error code of the answer. */
  readonly error?: string
  /** Why it was refused. */
  readonly detail?: string
  /** What a page told its user of it. */
  readonly message?: string
  /** Fault rule that changed the answer. */
  readonly faultId?: string
  /** What the sandbox fetched before it could answer. */
  readonly documentFetch?: LoggedFetch
  /** A request or an answer. */
  readonly request: LoggedMessage
  /** A request or an answer. */
  readonly response: LoggedMessage
}

/** What the sandbox fetched before it could answer. */
export interface LoggedFetchInput {
  /** Address of the document. */
  url: string
  /** Real time since the log began. */
  startedMs: number
  /** Real time since the log began. */
  endedMs: number
  /** HTTP status. */
  status?: number
  /** Its type. */
  contentType?: string
  /** Its beginning. */
  body?: string
  /** Why nothing could be fetched. */
  problem?: string
}

/** What the sandbox fetched before it could answer, complete. */
export interface LoggedFetch {
  /** Address of the document. */
  readonly url: string
  /** Real time since the log began. */
  readonly startedMs: number
  /** Real time since the log began. */
  readonly endedMs: number
  /** HTTP status. */
  readonly status?: number
  /** Its type. */
  readonly contentType?: string
  /** Its beginning. */
  readonly body?: string
  /** Why nothing could be fetched. */
  readonly problem?: string
}

/** A request or an answer. */
export interface LoggedMessageInput {
  /** Headers, each with its value; one that came twice stands there twice. */
  headers: readonly (readonly [string, string])[]
  /** Body, where it was a form. */
  form?: string
  /** Body, where it was JSON. */
  json?: string
  /** Any other body. */
  text?: string
  /** Bytes of the body, kept or not. */
  size: number
  /** Whether there was more. */
  truncated: boolean
}

/** A request or an answer, complete. */
export interface LoggedMessage {
  /** Headers, each with its value; one that came twice stands there twice. */
  readonly headers: readonly (readonly [string, string])[]
  /** Body, where it was a form. */
  readonly form?: string
  /** Body, where it was JSON. */
  readonly json?: string
  /** Any other body. */
  readonly text?: string
  /** Bytes of the body, kept or not. */
  readonly size: number
  /** Whether there was more. */
  readonly truncated: boolean
}

/** A move of the clock. */
export interface LoggedMoveInput {
  /** Counts the moves. */
  number: number
  /** When, in real time since the log began. */
  sinceMs: number
  /** Where the clock stood afterwards (ISO 8601). */
  now: string
  /** How far it went. */
  movedMs: number
}

/** A move of the clock, complete. */
export interface LoggedMove {
  /** Counts the moves. */
  readonly number: number
  /** When, in real time since the log began. */
  readonly sinceMs: number
  /** Where the clock stood afterwards (ISO 8601). */
  readonly now: string
  /** How far it went. */
  readonly movedMs: number
}

/** A fact, as the live feed tells it. */
export interface LoggedFactInput {
  /** When it happened, on the sandbox clock (ISO 8601). */
  time: string
  /** What happened. */
  type: string
  /** Depends on the type. */
  data: Record<string, unknown>
}

/** A fact, as the live feed tells it, complete. */
export interface LoggedFact {
  /** When it happened, on the sandbox clock (ISO 8601). */
  readonly time: string
  /** What happened. */
  readonly type: string
  /** Depends on the type. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Tokens, deliveries and so on, as the state has them. */
export interface LoggedRecordsInput {
  /** Apps that registered themselves, or came with a document or a Space. */
  apps?: readonly Record<string, unknown>[]
  /** What users allowed. */
  consents?: readonly Record<string, unknown>[]
  /** Authorization codes. */
  codes?: readonly Record<string, unknown>[]
  /** Device codes. */
  deviceAuthorizations?: readonly Record<string, unknown>[]
  /** Access tokens. */
  tokens?: readonly Record<string, unknown>[]
  /** Refresh tokens. */
  refreshTokens?: readonly Record<string, unknown>[]
  /** Public keys, which verify what was signed. */
  signingKeys?: readonly Record<string, unknown>[]
  /** Audit logs. */
  auditRows?: readonly Record<string, unknown>[]
  /** How the webhooks fared. */
  webhooks?: readonly Record<string, unknown>[]
  /** Events that were delivered to nobody, and why. */
  skippedEvents?: readonly Record<string, unknown>[]
  /** Deliveries. */
  deliveries?: readonly Record<string, unknown>[]
  /** Their payloads. */
  deliveryBodies?: readonly Record<string, unknown>[]
  /** Their attempts. */
  attempts?: readonly Record<string, unknown>[]
  /** Jobs. */
  jobs?: readonly Record<string, unknown>[]
  /** Their logs. */
  jobLogs?: readonly Record<string, unknown>[]
}

/** Tokens, deliveries and so on, as the state has them, complete. */
export interface LoggedRecords {
  /** Apps that registered themselves, or came with a document or a Space. */
  readonly apps?: readonly Readonly<Record<string, unknown>>[]
  /** What users allowed. */
  readonly consents?: readonly Readonly<Record<string, unknown>>[]
  /** Authorization codes. */
  readonly codes?: readonly Readonly<Record<string, unknown>>[]
  /** Device codes. */
  readonly deviceAuthorizations?: readonly Readonly<Record<string, unknown>>[]
  /** Access tokens. */
  readonly tokens?: readonly Readonly<Record<string, unknown>>[]
  /** Refresh tokens. */
  readonly refreshTokens?: readonly Readonly<Record<string, unknown>>[]
  /** Public keys, which verify what was signed. */
  readonly signingKeys?: readonly Readonly<Record<string, unknown>>[]
  /** Audit logs. */
  readonly auditRows?: readonly Readonly<Record<string, unknown>>[]
  /** How the webhooks fared. */
  readonly webhooks?: readonly Readonly<Record<string, unknown>>[]
  /** Events that were delivered to nobody, and why. */
  readonly skippedEvents?: readonly Readonly<Record<string, unknown>>[]
  /** Deliveries. */
  readonly deliveries?: readonly Readonly<Record<string, unknown>>[]
  /** Their payloads. */
  readonly deliveryBodies?: readonly Readonly<Record<string, unknown>>[]
  /** Their attempts. */
  readonly attempts?: readonly Readonly<Record<string, unknown>>[]
  /** Jobs. */
  readonly jobs?: readonly Readonly<Record<string, unknown>>[]
  /** Their logs. */
  readonly jobLogs?: readonly Readonly<Record<string, unknown>>[]
}

interface Repo {
  type: string
  name: string
}

type Watched = readonly { type: string; name: string }[]

interface Webhook {
  status: string
  watched: Watched
}

const isDataset = ({ type }: Repo) => type === 'dataset'

/** Repo to suggest for an event: one that a webhook watches, if there is one. */
export function preferredRepo<T extends Repo>(
  repos: readonly T[],
  webhooks: readonly Webhook[],
): T | undefined {
  const watched = webhooks
    .filter(({ status }) => status === 'enabled')
    .flatMap((webhook) => webhook.watched)
  return watchedRepo(repos, watched) ?? repos.find(isDataset) ?? repos[0]
}

/** Repo among the watched ones, preferably a dataset. */
export function watchedRepo<T extends Repo>(repos: readonly T[], watched: Watched): T | undefined {
  const isWatched = ({ type, name }: T) =>
    watched.some((item) =>
      item.type === type ? item.name === name : name.startsWith(`${item.name}/`),
    )
  return repos.find((repo) => isDataset(repo) && isWatched(repo)) ?? repos.find(isWatched)
}

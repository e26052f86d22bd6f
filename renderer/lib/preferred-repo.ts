interface Repo {
  type: string
  name: string
}

interface Webhook {
  status: string
  watched: readonly { type: string; name: string }[]
}

/** Repo to suggest for an event: one that a webhook watches, if there is one. */
export function preferredRepo<T extends Repo>(
  repos: readonly T[],
  webhooks: readonly Webhook[],
): T | undefined {
  const watched = webhooks
    .filter(({ status }) => status === 'enabled')
    .flatMap((webhook) => webhook.watched)
  const isWatched = ({ type, name }: T) =>
    watched.some((item) =>
      item.type === type ? item.name === name : name.startsWith(`${item.name}/`),
    )
  const isDataset = ({ type }: T) => type === 'dataset'
  return (
    repos.find((repo) => isDataset(repo) && isWatched(repo)) ??
    repos.find(isWatched) ??
    repos.find(isDataset) ??
    repos[0]
  )
}

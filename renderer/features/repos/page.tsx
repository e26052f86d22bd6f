import { useRepos } from '../../api/repos.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Unknown } from '../../ui/states.tsx'
import { useFlag, useParameter } from '../../lib/parameters.ts'
import { CreateRepoDialog } from './detail/create-repo-dialog.tsx'
import { RepoDialog } from './detail/repo-dialog.tsx'
import { RepoTable } from './list/repo-table.tsx'
import { words } from './words.ts'

export function ReposPage() {
  const repos = useRepos()
  const [creating, setCreating] = useFlag('new')
  const [openId, setOpenId] = useParameter('open')
  const close = () => setOpenId('')
  return (
    <Page
      title={words.repos}
      lead="Models, datasets, Spaces and buckets. Changes are real and trigger webhooks."
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          {words.createRepo}
        </Button>
      }
    >
      <QueryView query={repos} what="repos">
        {({ items }) => {
          const opened = items.find(({ id }) => id === openId)
          return (
            <>
              <RepoTable items={items} onOpen={({ id }) => setOpenId(id)} />
              {openId && !opened && (
                <Dialog open onOpenChange={close} title={words.repo}>
                  <DialogBody textOnly>
                    <Unknown title="Repo not found">{`No repo has the id ${openId}.`}</Unknown>
                  </DialogBody>
                </Dialog>
              )}
              {opened && <RepoDialog repo={opened} onClose={close} />}
            </>
          )
        }}
      </QueryView>
      {creating && <CreateRepoDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

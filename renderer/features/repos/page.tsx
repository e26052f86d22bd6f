import { useState } from 'react'
import { useRepos } from '../../api/repos.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Unknown } from '../../ui/states.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { CreateRepoDialog } from './detail/create-repo-dialog.tsx'
import { RepoDialog } from './detail/repo-dialog.tsx'
import { RepoTable } from './list/repo-table.tsx'

export function ReposPage() {
  const repos = useRepos()
  const [creating, setCreating] = useState(false)
  const [openId, setOpenId] = useParameter('open')
  const close = () => setOpenId('')
  return (
    <Page
      title="Repos"
      lead="Models, datasets and Spaces. Every change is a real one and may call webhooks."
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          Create a repo
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
                <Dialog open onOpenChange={close} title="Repo">
                  <DialogBody textOnly>
                    <Unknown title="There is no such repo">No repo has the id {openId}.</Unknown>
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

import type { ReactNode } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
import type { Task } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'

/** Uses an emailed link only when the button is pressed, because mail programs open links without their user. */
export const LinkButton = ({ task, children }: { task: Task<[]>; children: ReactNode }) => (
  <div className="grid gap-5">
    {task.error !== null && !task.pending && <Alert tone="red">{messageOf(task.error)}</Alert>}
    <Button className="w-full" loading={task.pending} onClick={() => void task.run()}>
      {children}
    </Button>
  </div>
)

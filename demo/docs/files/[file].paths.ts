// One page for each file of the repository that the documentation links to.
import { linkedFiles } from '../.vitepress/repository-files.ts'

export default {
  paths: () => linkedFiles().map(({ slug, path, content }) => ({ params: { file: slug, path }, content })),
}

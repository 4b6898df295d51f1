// The pages of the shop, in React.
import react from '@vitejs/plugin-react'

export default { plugins: [react()] }

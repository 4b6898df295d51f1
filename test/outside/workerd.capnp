# workerd with the Worker alone; it may call the companion on this machine.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "backend",
      worker = (
        modules = [(name = "worker", esModule = embed "worker.js")],
        compatibilityDate = "2026-11-01",
        bindings = [(name = "GIVEN", fromEnvironment = "GIVEN")],
        globalOutbound = "machine",
      ),
    ),
    (name = "machine", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "backend")],
);

;;; hloscope-debug.el --- Debugging XLA HLO modules with dape or dap-mode -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0
;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; The debug adapter `hloscope-dap' for whichever of dape and dap-mode is installed:
;;
;;     (require 'hloscope)
;;     (require 'hloscope-debug)

;;; Code:

(defcustom hloscope-adapter-command "hloscope-dap"
  "The debug adapter."
  :group 'hloscope
  :type 'string)

(defvar dape-configs)
(declare-function dap-register-debug-provider "ext:dap-mode")
(declare-function dap-register-debug-template "ext:dap-mode")

(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(hlo modes (hlo-mode)
                     command ,(lambda () hloscope-adapter-command)
                     :type "hlo" :request "launch" :program dape-buffer-default :fill "random" :stopOnEntry t))
  (add-to-list 'dape-configs
               `(hlo-attach modes (hlo-mode)
                            command ,(lambda () hloscope-adapter-command)
                            :type "hlo" :request "attach" :port 4711)))

(defun hloscope-debug--populate (configuration)
  "Fill in what dap-mode's CONFIGURATION leaves out."
  (let ((configuration (plist-put configuration :dap-server-path (list hloscope-adapter-command))))
    (if (or (plist-get configuration :program) (equal (plist-get configuration :request) "attach"))
        configuration
      (plist-put configuration :program (buffer-file-name)))))

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider "hlo" #'hloscope-debug--populate)
  (dap-register-debug-template
   "HLO: debug module"
   (list :type "hlo" :request "launch" :name "HLO: debug module" :fill "random" :stopOnEntry t)))

(require 'dape nil t)
(require 'dap-mode nil t)

(provide 'hloscope-debug)
;;; hloscope-debug.el ends here

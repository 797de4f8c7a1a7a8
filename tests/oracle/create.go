package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

var codecs = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)

type createQuestion struct {
	head
	Object json.RawMessage `json:"object"`
	// NamespaceLabels are those of the namespace that the object goes into.
	NamespaceLabels map[string]string `json:"namespaceLabels"`
}

type createAnswer struct {
	Accepted    bool            `json:"accepted"`
	DecodeError string          `json:"decodeError,omitempty"`
	Causes      []cause         `json:"causes,omitempty"`
	Stored      json.RawMessage `json:"stored,omitempty"`
}

type cause struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// namespaces answers for the one namespace that the object goes into.
type namespaces struct {
	typedcorev1.NamespaceInterface
	labels map[string]string
}

func (n namespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: n.labels}}, nil
}

// strategyOf returns how the API server creates objects of the kind, and the name of the kind in paths.
func strategyOf(object runtime.Object, labels map[string]string) (rest.RESTCreateStrategy, string, error) {
	client := namespaces{labels: labels}
	switch object.(type) {
	case *resource.DeviceClass:
		return deviceclass.Strategy, "deviceclasses", nil
	case *resource.ResourceClaim:
		return claimStrategy(client), "resourceclaims", nil
	case *resource.ResourceClaimTemplate:
		return resourceclaimtemplate.NewStrategy(client), "resourceclaimtemplates", nil
	case *resource.ResourceSlice:
		return resourceslice.Strategy, "resourceslices", nil
	}
	return nil, "", fmt.Errorf("cannot create a %T", object)
}

func create(question createQuestion) (any, error) {
	if len(question.Object) == 0 {
		return nil, errors.New("object is missing")
	}
	object, kind, err := codecs.UniversalDecoder().Decode(question.Object, nil, nil)
	if err != nil {
		return createAnswer{DecodeError: err.Error()}, nil
	}
	strategy, plural, err := strategyOf(object, question.NamespaceLabels)
	if err != nil {
		return nil, err
	}
	if err := admit(strategy, object, kind.GroupVersion().WithResource(plural)); err != nil {
		return createAnswer{Causes: causesOf(err)}, nil
	}
	stored, err := encode(object, kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	return createAnswer{Accepted: true, Stored: stored}, nil
}

// admit does what the generic store does before it writes an object.
func admit(strategy rest.RESTCreateStrategy, object runtime.Object, kind schema.GroupVersionResource) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(accessor)
	if accessor.GetGenerateName() != "" && accessor.GetName() == "" {
		accessor.SetName(strategy.GenerateName(accessor.GetGenerateName()))
	}
	namespace := metav1.NamespaceNone
	if strategy.NamespaceScoped() {
		namespace = accessor.GetNamespace()
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
	}
	ctx := request.WithNamespace(context.Background(), namespace)
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true,
		Verb:              "create",
		APIGroup:          kind.Group,
		APIVersion:        kind.Version,
		Resource:          kind.Resource,
		Namespace:         namespace,
		Name:              accessor.GetName(),
	})
	return rest.BeforeCreate(strategy, ctx, object)
}

func causesOf(err error) []cause {
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil || len(status.ErrStatus.Details.Causes) == 0 {
		return []cause{{Detail: err.Error()}}
	}
	var causes []cause
	for _, each := range status.ErrStatus.Details.Causes {
		causes = append(causes, cause{string(each.Type), each.Field, each.Message})
	}
	return causes
}

// encode returns the object as the API server would show it, without what admit filled in.
func encode(object runtime.Object, version schema.GroupVersion) (json.RawMessage, error) {
	data, err := runtime.Encode(codecs.LegacyCodec(version), object)
	if err != nil {
		return nil, err
	}
	var shown map[string]any
	if err := json.Unmarshal(data, &shown); err != nil {
		return nil, err
	}
	if metadata, ok := shown["metadata"].(map[string]any); ok {
		delete(metadata, "uid")
		delete(metadata, "creationTimestamp")
	}
	return json.Marshal(shown)
}
